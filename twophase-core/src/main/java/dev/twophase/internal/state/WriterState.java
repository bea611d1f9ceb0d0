package dev.twophase.internal.state;

import dev.twophase.error.SetupRefusedException;
import dev.twophase.error.UnreadableStateException;

/**
 * Whose state this is, so that a savepoint restored by another adapter (S5) or under another sink
 * name is refused instead of being taken for none.
 *
 * @param kind the adapter that wrote it
 * @param sinkName name of the sink that wrote it
 */
public record WriterState(Kind kind, String sinkName) {

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
