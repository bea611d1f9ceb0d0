package dev.twophase.file.upkeep;

import dev.twophase.TransactionId;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle.StateMetaInfo;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * The transactions that savepoints or checkpoints may still commit. They are found by their text,
 * which stands in the state of each prepared transaction several times: too many may be found,
 * never too few. Needs Flink's runtime, of the version that wrote them or a later one. Immutable.
 */
public final class SavedTransactions {

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
   * @param directory in which its {@code _metadata} lies; its state may lie elsewhere
   * @throws IOException if any state that it refers to cannot be read or is compressed ({@code
   *     execution.checkpointing.snapshot-compression}), or none of it is this sink's
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
    Search search = new Search(sinkName);
    try (SavedState state = new SavedState(directory, hadoopOptions)) {
      for (StreamStateHandle handle : state.handles()) {
        search.in(handle, state.read(handle));
      }
    } catch (IOException error) {
      throw new IOException(
          "Cannot tell which transactions "
              + directory
              + " holds, so that nothing may be removed: "
              + error.getMessage(),
          error);
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

    /** Of both adapters. */
    private static final String WRITER_STATE = "writer_raw_states";

    private static final int WRITER_HEADER = 4 * Integer.BYTES;

    private final Pattern id;
    private final String name;
    private final Set<TransactionId> found = new HashSet<>();
    private boolean ofSink;

    Search(String sinkName) {
      name = "\0" + (char) sinkName.length() + sinkName;
      id =
          Pattern.compile(
              "(?<![A-Za-z0-9_-])"
                  + Pattern.quote(sinkName)
                  + "\\.\\d{1,10}\\.\\d{1,19}\\.[0-9a-f]{32}");
    }

    void in(StreamStateHandle handle, byte[] bytes) throws IOException {
      String text = text(bytes);
      if (text.contains(SNAPPY)) {
        throw new IOException(
            "its state is compressed and cannot be searched. Take a savepoint with"
                + " execution.checkpointing.snapshot-compression off");
      }
      Matcher matcher = id.matcher(text);
      while (matcher.find()) {
        TransactionId.parse(matcher.group()).ifPresent(found::add);
      }
      ofSink |= !found.isEmpty();
      if (handle instanceof OperatorStateHandle operator) {
        StateMetaInfo elements = operator.getStateNameToPartitionOffsets().get(WRITER_STATE);
        for (long offset : elements == null ? new long[0] : elements.getOffsets()) {
          ofSink |= isWriterState(text, (int) offset);
        }
      }
    }

    /**
     * Behind the lengths of the element and of its content, the version and the adapter: the name,
     * and since version 2 the line.
     */
    private boolean isWriterState(String text, int offset) {
      int first = WRITER_HEADER + name.length() - Integer.BYTES;
      return text.startsWith(name, offset + WRITER_HEADER)
          && (text.startsWith(text(first), offset)
              || text.startsWith(text(first + Long.BYTES), offset));
    }

    private static String text(int length) {
      return text(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
    }

    private static String text(byte[] bytes) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
  }
}
