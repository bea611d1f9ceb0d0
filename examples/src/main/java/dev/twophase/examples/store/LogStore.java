package dev.twophase.examples.store;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * A small embedded store, of JDK classes only: one append-only log in which a transaction is one
 * block, and a staging area in which its records wait. Any number of processes may use it at once;
 * a block that a crash has left half written is overwritten by the next commit.
 *
 * <p>One instance is for one thread.
 */
public final class LogStore {

  /** File locks are held by the JVM as a whole: its own threads need a lock besides. */
  private static final Object THIS_JVM = new Object();

  private static final int HEADER = Integer.BYTES + Long.BYTES;

  private final Path log;
  private final Path staging;
  private final Path lock;
  private final Set<String> committed = new LinkedHashSet<>();
  private final List<String> records = new ArrayList<>();
  private long end;

  private LogStore(Path directory) {
    log = directory.resolve("log");
    staging = directory.resolve("staging");
    lock = directory.resolve("lock");
  }

  /** Opens the store in a directory, making it if there is none. */
  public static LogStore open(Path directory) throws IOException {
    LogStore store = new LogStore(directory);
    Files.createDirectories(store.staging);
    return store;
  }

  /** Begins a transaction. Its name is also that of a file. */
  public Staging begin(String name) throws IOException {
    return new Staging(name, staging.resolve(name));
  }

  /**
   * Appends a sealed transaction to the log.
   *
   * @return whether this call did it; if not, the log has it already or nothing is staged
   */
  public boolean commit(String name) throws IOException {
    return locked(
        () -> {
          Path staged = staging.resolve(name);
          boolean appends = !committed.contains(name) && Files.exists(staged);
          if (appends) {
            append(Files.readAllBytes(staged));
            readLog();
          }
          Files.deleteIfExists(staged);
          return appends;
        });
  }

  /** Names of the transactions in the log, oldest first. */
  public Set<String> committed() throws IOException {
    return locked(() -> Set.copyOf(committed));
  }

  /** The records in the log, oldest first. */
  public List<String> records() throws IOException {
    return locked(() -> List.copyOf(records));
  }

  /** Names of the transactions that are staged and not in the log. */
  public List<String> staged() throws IOException {
    return locked(
        () -> {
          try (Stream<Path> files = Files.list(staging)) {
            return files
                .map(file -> file.getFileName().toString())
                .filter(name -> !committed.contains(name))
                .toList();
          }
        });
  }

  /** Forgets what is staged; harmless if nothing is or if it has been committed. */
  public void discard(String name) throws IOException {
    Files.deleteIfExists(staging.resolve(name));
  }

  private interface Action<R> {
    R run() throws IOException;
  }

  /** Under the lock, and knowing all that the log holds. */
  private <R> R locked(Action<R> action) throws IOException {
    synchronized (THIS_JVM) {
      try (FileChannel channel =
              FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock held = channel.lock()) {
        readLog();
        return action.run();
      }
    }
  }

  private void append(byte[] block) throws IOException {
    CRC32 sum = new CRC32();
    sum.update(block);
    ByteBuffer bytes = ByteBuffer.allocate(HEADER + block.length);
    bytes.putInt(block.length).putLong(sum.getValue()).put(block).flip();
    try (FileChannel channel =
        FileChannel.open(log, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.truncate(end);
      channel.position(end);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** Reads the whole blocks behind the last one read. */
  private void readLog() throws IOException {
    if (!Files.exists(log)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(log)) {
      channel.position(end);
      DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
      long left = channel.size() - end;
      while (left >= HEADER) {
        int length = in.readInt();
        long expected = in.readLong();
        if (length < 0 || length > left - HEADER) {
          return;
        }
        byte[] block = in.readNBytes(length);
        CRC32 sum = new CRC32();
        sum.update(block);
        if (sum.getValue() != expected) {
          return;
        }
        readBlock(block);
        end += HEADER + length;
        left -= HEADER + length;
      }
    }
  }

  private void readBlock(byte[] block) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(block));
    committed.add(in.readUTF());
    while (in.available() > 0) {
      byte[] text = new byte[in.readInt()];
      in.readFully(text);
      records.add(new String(text, StandardCharsets.UTF_8));
    }
  }

  /** An open transaction: the block that will go into the log. */
  public static final class Staging {

    private final String name;
    private final Path file;
    private final FileChannel channel;
    private final DataOutputStream out;

    private Staging(String name, Path file) throws IOException {
      this.name = name;
      this.file = file;
      channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel)));
      out.writeUTF(name);
    }

    /** Adds a record. */
    public void add(String record) throws IOException {
      byte[] text = record.getBytes(StandardCharsets.UTF_8);
      out.writeInt(text.length);
      out.write(text);
    }

    /** Ends the transaction and returns the name by which any process can now commit it. */
    public String seal() throws IOException {
      out.flush();
      channel.force(true);
      out.close();
      return name;
    }

    /** Gives it up. */
    public void discard() throws IOException {
      channel.close();
      Files.deleteIfExists(file);
    }
  }
}
