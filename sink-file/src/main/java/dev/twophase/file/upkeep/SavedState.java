package dev.twophase.file.upkeep;

import dev.twophase.file.internal.Directories;
import dev.twophase.file.internal.storage.Storage;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filemerging.SegmentFileStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.RelativeFileStateHandle;

/**
 * All state of a savepoint or checkpoint in which a sink's transactions can be: that of operators
 * and what was under way between them, wherever the metadata say that it lies. Not keyed state.
 */
final class SavedState implements AutoCloseable {

  private static final String METADATA = "_metadata";

  private final URI directory;
  private final Map<String, String> hadoopOptions;
  private final Map<URI, Storage> storages = new HashMap<>();

  SavedState(URI directory, Map<String, String> hadoopOptions) {
    String text = directory.toString();
    this.directory = text.endsWith("/") ? directory : URI.create(text + "/");
    this.hadoopOptions = hadoopOptions;
  }

  /** The pieces of state. */
  List<StreamStateHandle> handles() throws IOException {
    List<StreamStateHandle> handles = new ArrayList<>();
    for (OperatorState operator : metadata().getOperatorStates()) {
      for (OperatorSubtaskState subtask : operator.getStates()) {
        for (StateObject state : subtask.getDiscardables()) {
          if (state instanceof StreamStateHandle handle
              && !(state instanceof KeyedStateHandle)
              && handle.getStateSize() > 0) {
            handles.add(handle);
          }
        }
      }
    }
    return handles;
  }

  /** The bytes of one. */
  byte[] read(StreamStateHandle handle) throws IOException {
    StreamStateHandle state =
        handle instanceof OperatorStreamStateHandle operator
            ? operator.getDelegateStateHandle()
            : handle;
    if (state instanceof SegmentFileStateHandle segment) {
      try (InputStream in = open(segment.getFilePath())) {
        in.skipNBytes(segment.getStartPos());
        return whole(in, segment.getStateSize(), segment.getFilePath().toString());
      }
    }
    if (state instanceof RelativeFileStateHandle file) {
      try (InputStream in = storage(directory).open(file.getRelativePath())) {
        return whole(in, file.getStateSize(), file.getRelativePath());
      }
    }
    if (state instanceof FileStateHandle file) {
      try (InputStream in = open(file.getFilePath())) {
        return whole(in, file.getStateSize(), file.getFilePath().toString());
      }
    }
    try (InputStream in = state.openInputStream()) {
      return whole(in, state.getStateSize(), METADATA);
    }
  }

  @Override
  public void close() throws IOException {
    for (Storage storage : storages.values()) {
      storage.close();
    }
  }

  private CheckpointMetadata metadata() throws IOException {
    if (!storage(directory).status(METADATA).isFile()) {
      throw new IOException(
          directory + " holds no _metadata: name the directory of one savepoint or checkpoint");
    }
    // Flink resolves relative paths against where it finds the metadata, by file systems of its
    // own, which need not be there; a copy satisfies it, and read(...) resolves them itself.
    Path copy = Files.createTempDirectory("savepoint");
    Path file = copy.resolve(METADATA);
    try {
      try (InputStream in = storage(directory).open(METADATA)) {
        Files.copy(in, file);
      }
      try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
        return Checkpoints.loadCheckpointMetadata(
            in, SavedState.class.getClassLoader(), copy.toUri().toString());
      }
    } catch (EOFException cut) {
      throw new IOException(
          storage(directory).fullName(METADATA)
              + " ends in the middle of a savepoint: copy it again, whole",
          cut);
    } catch (IOException | RuntimeException error) {
      throw new IOException(
          directory
              + " cannot be read as a savepoint: "
              + error.getMessage()
              + ". Use the Flink version that wrote it, or a later one",
          error);
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(copy);
    }
  }

  private static byte[] whole(InputStream in, long size, String name) throws IOException {
    byte[] bytes = in.readNBytes(Math.toIntExact(size));
    if (bytes.length < size) {
      throw new IOException(
          name + " has " + bytes.length + " of the " + size + " bytes of state that belong there");
    }
    return bytes;
  }

  private InputStream open(org.apache.flink.core.fs.Path path) throws IOException {
    URI uri = path.toUri();
    URI parent = (uri.getScheme() == null ? Path.of(uri.getPath()).toUri() : uri).resolve(".");
    return storage(parent).open(path.getName());
  }

  private Storage storage(URI uri) throws IOException {
    Storage known = storages.get(uri);
    if (known == null) {
      known = Directories.storage(uri, hadoopOptions).open(uri);
      storages.put(uri, known);
    }
    return known;
  }
}
