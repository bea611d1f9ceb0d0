package dev.twophase.file.internal.storage;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the files are called with which a starting subtask tries out its directory. One that is
 * killed meanwhile leaves them, and the next attempt of the subtask knows them by their names.
 */
public final class ProbeNames {

  /** Ends the second name of a file. */
  public static final String MOVED = "-moved";

  private static final Pattern NAME =
      Pattern.compile("\\.probe-(\\d{1,9})-" + UniquePart.REGEX + "(?:" + MOVED + ")?");

  private ProbeNames() {}

  /** A name that nobody else uses. */
  public static String unique(int subtask) {
    return ".probe-" + subtask + "-" + UniquePart.next();
  }

  /** The subtask whose probe this is; empty if it is none. */
  public static OptionalInt subtaskOf(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
        : OptionalInt.empty();
  }
}
