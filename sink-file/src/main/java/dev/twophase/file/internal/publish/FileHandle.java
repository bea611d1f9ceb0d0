package dev.twophase.file.internal.publish;

import dev.twophase.HandleSerializers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Names the files of a prepared transaction, in full: another process commits them holding nothing
 * but this (W2), and a later release does so although it names its own files otherwise.
 *
 * @param base the base directory as the storage names it
 * @param stagedPrefix path of the staged files below the base directory, up to the part number
 * @param targetPrefix name of the visible files, up to the part number
 * @param targetSuffix name of the visible files, after the part number
 * @param files at least one, unless there is a manifest
 * @param manifest lists the files for readers, if the sink has manifests
 * @param line of checkpoints that prepared it (decision 69), or 0 if that is not known
 */
public record FileHandle(
    String base,
    String stagedPrefix,
    String targetPrefix,
    String targetSuffix,
    List<PreparedFile> files,
    Optional<PreparedManifest> manifest,
    long line) {

  /** The first without manifests. */
  private static final int WITHOUT_MANIFEST = 1;

  /** The last whose manifests are all in one directory. */
  private static final int FLAT_MANIFESTS = 2;

  /** The last that does not tell of which line it is. */
  private static final int WITHOUT_LINE = 3;

  private static final int VERSION = 4;

  private static final long UNKNOWN_LINE = 0;

  private static final SimpleVersionedSerializer<FileHandle> SERIALIZER =
      HandleSerializers.versioned(VERSION, FileHandle::write, FileHandle::read);

  public FileHandle {
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(stagedPrefix, "stagedPrefix");
    Objects.requireNonNull(targetPrefix, "targetPrefix");
    Objects.requireNonNull(targetSuffix, "targetSuffix");
    files = List.copyOf(files);
  }

  /** The binary form (S1). */
  public static SimpleVersionedSerializer<FileHandle> serializer() {
    return SERIALIZER;
  }

  /** The same, prepared by this line of checkpoints. */
  public FileHandle ofLine(long number) {
    return new FileHandle(base, stagedPrefix, targetPrefix, targetSuffix, files, manifest, number);
  }

  /** Whether it tells of which line it is. */
  public boolean hasLine() {
    return line != UNKNOWN_LINE;
  }

  /** Path of the hidden file. */
  String staged(PreparedFile file) {
    return stagedPrefix + file.part();
  }

  /** Path of the visible file. */
  String target(PreparedFile file) {
    String name = targetPrefix + file.part() + targetSuffix;
    return file.bucket().isEmpty() ? name : file.bucket() + "/" + name;
  }

  private static void write(FileHandle handle, DataOutputView out) throws IOException {
    out.writeUTF(handle.base);
    out.writeUTF(handle.stagedPrefix);
    out.writeUTF(handle.targetPrefix);
    out.writeUTF(handle.targetSuffix);
    out.writeInt(handle.files.size());
    for (PreparedFile file : handle.files) {
      write(file, out);
    }
    out.writeBoolean(handle.manifest.isPresent());
    if (handle.manifest.isPresent()) {
      out.writeUTF(handle.manifest.get().name());
      write(handle.manifest.get().file(), out);
      out.writeInt(handle.manifest.get().span());
    }
    out.writeLong(handle.line);
  }

  private static void write(PreparedFile file, DataOutputView out) throws IOException {
    out.writeUTF(file.bucket());
    out.writeInt(file.part());
    out.writeLong(file.length());
    out.writeInt(file.checksum());
  }

  private static PreparedFile readFile(DataInputView in) throws IOException {
    return new PreparedFile(in.readUTF(), in.readInt(), in.readLong(), in.readInt());
  }

  private static FileHandle read(int version, DataInputView in) throws IOException {
    String base = in.readUTF();
    String stagedPrefix = in.readUTF();
    String targetPrefix = in.readUTF();
    String targetSuffix = in.readUTF();
    int count = in.readInt();
    List<PreparedFile> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(readFile(in));
    }
    Optional<PreparedManifest> manifest = Optional.empty();
    if (version > WITHOUT_MANIFEST && in.readBoolean()) {
      String name = in.readUTF();
      PreparedFile file = readFile(in);
      int span = version > FLAT_MANIFESTS ? in.readInt() : PreparedManifest.FLAT;
      manifest = Optional.of(new PreparedManifest(file, name, span));
    }
    long line = version > WITHOUT_LINE ? in.readLong() : UNKNOWN_LINE;
    return new FileHandle(base, stagedPrefix, targetPrefix, targetSuffix, files, manifest, line);
  }
}
