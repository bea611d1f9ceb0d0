package dev.twophase.testkit.schedule;

/** How records reach the sink: decides who fails together, and where replayed records go. */
public enum Source {
  /** By key: all subtasks fail over together, a key stays on one subtask until the next rescale. */
  KEYED("keyed"),
  /** One source partition per subtask: each subtask fails over alone. */
  FORWARD("fwd"),
  /** Round robin: all fail over together, and a replayed record may reach another subtask. */
  REBALANCED("rebal");

  private final String word;

  Source(String word) {
    this.word = word;
  }

  /** The word that stands for it in a schedule. */
  public String word() {
    return word;
  }

  static Source of(String text) {
    for (Source source : values()) {
      if (source.word.equals(text)) {
        return source;
      }
    }
    throw new ScheduleSyntaxException(
        "'src=" + text + "' is unknown: use src=keyed, src=fwd or src=rebal");
  }
}
