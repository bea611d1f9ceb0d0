package dev.twophase.testkit.internal.report.drawing;

/** The kinds of fault in words. */
public final class FaultWords {

  private FaultWords() {}

  public static String of(String letter) {
    return switch (letter) {
      case "E" -> "fails before its effect";
      case "A" -> "takes effect, the reply is lost";
      case "N" -> "never arrives, the caller cannot know";
      case "U" -> "outcome unknown";
      case "K" -> "process killed here";
      case "D" -> "held until settling";
      default -> "fault " + letter;
    };
  }

  /** Whether the call reaches the external system. */
  static boolean arrives(String letter) {
    return letter.equals("A");
  }
}
