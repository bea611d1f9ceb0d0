package dev.twophase.file;

import dev.twophase.file.internal.storage.FileStatus;
import dev.twophase.file.internal.storage.FileStatus.Kind;
import dev.twophase.file.internal.storage.StagedOutput;
import dev.twophase.file.internal.storage.Storage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A disk that forgets, in a power failure, whatever was not synced: the content of a file without
 * its own sync, and a name without a sync of the directory it is in. It keeps no more than POSIX
 * promises, which is less than any real file system does.
 */
public final class SimulatedDisk implements Storage {

  private Directory root = new Directory();

  private static final class File {
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private byte[] synced = {};

    File survivor() {
      File after = new File();
      after.content.writeBytes(synced);
      after.synced = synced;
      return after;
    }
  }

  private static final class Directory {
    private final Map<String, Object> entries = new TreeMap<>();
    private Map<String, Object> synced = Map.of();

    Directory survivor(Map<Object, Object> survivors) {
      Directory after = new Directory();
      synced.forEach(
          (name, entry) -> after.entries.put(name, SimulatedDisk.survivor(entry, survivors)));
      after.synced = Map.copyOf(after.entries);
      return after;
    }
  }

  /** Two names of one file are one file afterwards, too. */
  private static Object survivor(Object entry, Map<Object, Object> survivors) {
    Object known = survivors.get(entry);
    if (known == null) {
      known =
          entry instanceof File file ? file.survivor() : ((Directory) entry).survivor(survivors);
      survivors.put(entry, known);
    }
    return known;
  }

  /** Nothing is left but what was synced. */
  public synchronized void powerFailure() {
    root = root.survivor(new HashMap<>());
  }

  /** The disk as it would be after a power failure now. */
  public synchronized SimulatedDisk afterPowerFailure() {
    SimulatedDisk after = new SimulatedDisk();
    after.root = root.survivor(new HashMap<>());
    return after;
  }

  /** Content of each file, by path. */
  public synchronized Map<String, String> files() {
    Map<String, String> files = new TreeMap<>();
    collect("", root, files);
    return files;
  }

  private static void collect(String path, Directory directory, Map<String, String> files) {
    directory.entries.forEach(
        (name, entry) -> {
          if (entry instanceof File file) {
            files.put(path + name, file.content.toString(StandardCharsets.UTF_8));
          } else {
            collect(path + name + "/", (Directory) entry, files);
          }
        });
  }

  @Override
  public String base() {
    return "/simulated";
  }

  @Override
  public String fullName(String path) {
    return base() + "/" + path;
  }

  @Override
  public void checkDirectory(String directory) {}

  @Override
  public synchronized void makeDirectories(String directory) {
    Directory current = root;
    for (String name : directory.isEmpty() ? new String[0] : directory.split("/")) {
      current = (Directory) current.entries.computeIfAbsent(name, missing -> new Directory());
    }
  }

  @Override
  public synchronized StagedOutput create(String path) throws IOException {
    File file = new File();
    if (parent(path).entries.putIfAbsent(name(path), file) != null) {
      throw new FileAlreadyExistsException(path);
    }
    return new StagedOutput() {
      @Override
      public void write(byte[] bytes, int offset, int length) {
        file.content.write(bytes, offset, length);
      }

      @Override
      public void sync() {
        file.synced = file.content.toByteArray();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public synchronized FileStatus status(String path) {
    Object entry = find(path);
    if (entry instanceof File file) {
      return new FileStatus(Kind.FILE, file.content.size());
    }
    return entry == null ? FileStatus.ABSENT : new FileStatus(Kind.DIRECTORY, 0);
  }

  @Override
  public synchronized boolean sameFile(String one, String other) {
    return find(one) != null && find(one) == find(other);
  }

  @Override
  public synchronized InputStream open(String path) throws IOException {
    if (!(find(path) instanceof File file)) {
      throw new NoSuchFileException(path);
    }
    return new ByteArrayInputStream(file.content.toByteArray());
  }

  @Override
  public synchronized boolean publish(String staged, String target) throws IOException {
    Object file = find(staged);
    if (file == null) {
      throw new NoSuchFileException(staged);
    }
    if (parent(target).entries.putIfAbsent(name(target), file) != null) {
      throw new FileAlreadyExistsException(target);
    }
    return true;
  }

  @Override
  public FileStatus settled(String path) {
    return status(path);
  }

  @Override
  public synchronized void delete(String path) throws IOException {
    parent(path).entries.remove(name(path));
  }

  @Override
  public synchronized void syncDirectory(String directory) throws IOException {
    Object entry = directory.isEmpty() ? root : find(directory);
    if (!(entry instanceof Directory found)) {
      throw new NoSuchFileException(directory);
    }
    found.synced = Map.copyOf(found.entries);
  }

  @Override
  public synchronized List<String> names(String directory) {
    return find(directory) instanceof Directory found
        ? new ArrayList<>(found.entries.keySet())
        : List.of();
  }

  @Override
  public synchronized boolean anyVisibleFile(Entrance entrance, Predicate<String> matches) {
    return files().keySet().stream().filter(path -> !path.startsWith(".")).anyMatch(matches);
  }

  @Override
  public void probe(String directory, String name) throws IOException {
    makeDirectories(directory);
    syncDirectory("");
  }

  @Override
  public void close() {}

  private Object find(String path) {
    Object current = root;
    for (String name : path.split("/")) {
      if (!(current instanceof Directory directory)) {
        return null;
      }
      current = directory.entries.get(name);
    }
    return current;
  }

  private Directory parent(String path) throws IOException {
    int slash = path.lastIndexOf('/');
    Object parent = slash < 0 ? root : find(path.substring(0, slash));
    if (parent instanceof Directory directory) {
      return directory;
    }
    throw new NoSuchFileException(path);
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
