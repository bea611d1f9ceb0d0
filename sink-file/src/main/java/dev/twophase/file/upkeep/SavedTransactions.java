package dev.twophase.file.upkeep;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.Directories;
import dev.twophase.file.internal.storage.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The transactions that savepoints or checkpoints may still commit. They are found by their text,
 * which stands in the state of each prepared transaction several times, whatever the Flink version:
 * too many may be found, never too few. Immutable.
 */
public final class SavedTransactions {

  private static final int CHUNK = 1 << 20;

  /** Longer than any id. */
  private static final int OVERLAP = 512;

  /** What compressed state begins with, which cannot be searched. */
  private static final String SNAPPY = "sNaPpY";

  private final Set<TransactionId> ids;

  private SavedTransactions(Set<TransactionId> ids) {
    this.ids = Set.copyOf(ids);
  }

  /** None: no job of this sink will ever be restored. */
  public static SavedTransactions none() {
    return new SavedTransactions(Set.of());
  }

  /**
   * Those in a savepoint, or in a retained checkpoint.
   *
   * @param directory in which its {@code _metadata} and state lie
   * @throws IOException if it cannot be read, is compressed ({@code
   *     execution.checkpointing.snapshot-compression}), or holds no state of this sink
   */
  public static SavedTransactions in(Path directory, String sinkName) throws IOException {
    return in(directory.toAbsolutePath().normalize().toUri(), sinkName, Map.of());
  }

  /**
   * The same on another file system.
   *
   * @param directory {@code file:}, {@code hdfs:} or another Hadoop file system
   * @param hadoopOptions on top of {@code core-site.xml} and {@code hdfs-site.xml}
   */
  public static SavedTransactions in(
      URI directory, String sinkName, Map<String, String> hadoopOptions) throws IOException {
    TransactionId.checkSinkName(sinkName);
    try (Storage storage = Directories.storage(directory, hadoopOptions).open(directory)) {
      if (!storage.status("_metadata").isFile()) {
        throw new IOException(
            directory + " holds no _metadata: name the directory of one savepoint or checkpoint");
      }
      Search search = new Search(sinkName);
      for (String file : storage.visibleFiles()) {
        try (InputStream in = storage.open(file)) {
          if (!search.read(in)) {
            throw new IOException(
                storage.fullName(file)
                    + " is compressed and cannot be searched for transactions: take a savepoint"
                    + " with execution.checkpointing.snapshot-compression off");
          }
        }
      }
      if (!search.ofSink) {
        throw new IOException(
            directory
                + " holds no state of sink '"
                + sinkName
                + "': name a savepoint of the job that this sink is part of");
      }
      return new SavedTransactions(search.found);
    }
  }

  /** These and others. */
  public SavedTransactions and(SavedTransactions others) {
    Set<TransactionId> all = new HashSet<>(ids);
    all.addAll(others.ids);
    return new SavedTransactions(all);
  }

  /** Whether it may still be committed. */
  public boolean contains(TransactionId transaction) {
    return ids.contains(transaction);
  }

  /** All of them. */
  public Set<TransactionId> ids() {
    return ids;
  }

  /** Goes through bytes as text of one byte each. */
  private static final class Search {

    private final Pattern id;
    private final String writerState;
    private final Set<TransactionId> found = new HashSet<>();
    private boolean ofSink;

    Search(String sinkName) {
      id = Pattern.compile(Pattern.quote(sinkName) + "\\.\\d{1,10}\\.\\d{1,19}\\.[0-9a-f]{32}");
      // Every subtask's state names its sink, as text behind its length.
      writerState = "\0" + (char) sinkName.length() + sinkName;
    }

    boolean read(InputStream in) throws IOException {
      String rest = "";
      for (byte[] bytes = in.readNBytes(CHUNK); bytes.length > 0; bytes = in.readNBytes(CHUNK)) {
        String text = rest + new String(bytes, StandardCharsets.ISO_8859_1);
        if (text.contains(SNAPPY)) {
          return false;
        }
        Matcher matcher = id.matcher(text);
        while (matcher.find()) {
          Optional<TransactionId> parsed = TransactionId.parse(matcher.group());
          parsed.ifPresent(found::add);
        }
        ofSink |= !found.isEmpty() || text.contains(writerState);
        rest = text.substring(Math.max(0, text.length() - OVERLAP));
      }
      return true;
    }
  }
}
