package dev.twophase.internal.state;

import dev.twophase.error.SetupRefusedException;
import dev.twophase.error.UnreadableStateException;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Whose state this is, so that a savepoint restored by another adapter (S5) or under another sink
 * name is refused instead of being taken for none, and one of a line that was left behind can be
 * told (R6).
 *
 * @param kind the adapter that wrote it
 * @param sinkName name of the sink that wrote it
 * @param line see {@link dev.twophase.TransactionalConnector#line}; empty if it is unknown
 */
public record WriterState(Kind kind, String sinkName, OptionalLong line) {

  public WriterState {
    if (line.isPresent() && line.getAsLong() <= 0) {
      throw new IllegalArgumentException(
          "line() of sink '" + sinkName + "' is " + line.getAsLong() + ": lines count from 1");
    }
  }

  /** Of a line that is not known yet. */
  public WriterState(Kind kind, String sinkName) {
    this(kind, sinkName, OptionalLong.empty());
  }

  public WriterState ofLine(OptionalLong known) {
    return new WriterState(kind, sinkName, known);
  }

  /**
   * The line that a subtask continues which was given the states of several. They are of one
   * checkpoint, so that they differ only where a job was numbered anew while it ran: then the
   * newest is its number now. Empty if none is known.
   */
  public static OptionalLong newestLine(Stream<OptionalLong> lines) {
    return lines.flatMapToLong(OptionalLong::stream).max();
  }

  /** The adapters, with the stable code of each in state. */
  public enum Kind {
    SINK_V2(1, "TransactionalSink"),
    FUNCTION(2, "TransactionalSinkFunction");

    private final int code;
    private final String adapter;

    Kind(int code, String adapter) {
      this.code = code;
      this.adapter = adapter;
    }

    int code() {
      return code;
    }

    static Kind ofCode(int code) throws UnreadableStateException {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new UnreadableStateException("State of an unknown adapter, code " + code);
    }
  }

  /**
   * Checks what was restored.
   *
   * @throws SetupRefusedException if it is another adapter's or another sink's
   */
  public void checkRestoredBy(Kind adapter, String name) {
    if (kind != adapter) {
      throw new SetupRefusedException(
          name,
          "the restored state",
          "that of a " + kind.adapter,
          "A "
              + adapter.adapter
              + " cannot read it. Restore with the adapter that wrote it, or stop that job with a"
              + " savepoint, check that nothing is uncommitted, and give this sink a new uid");
    }
    if (!sinkName.equals(name)) {
      throw new SetupRefusedException(
          name,
          "the restored state",
          "that of sink '" + sinkName + "'",
          "Keep the sink's name as long as its state; a new name needs a new uid");
    }
  }
}
