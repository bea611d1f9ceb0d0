package dev.twophase.testkit.internal.gate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.connector.sink2.Committer.CommitRequest;
import org.jspecify.annotations.Nullable;

/** With what a call is made, in a few words: names and numbers, and nothing of what has none. */
final class Arguments {

  private static final int MOST_LETTERS = 100;
  private static final int MOST_TOLD = 3;

  private Arguments() {}

  static String of(@Nullable Object @Nullable [] arguments) {
    List<String> told = new ArrayList<>();
    if (arguments != null) {
      for (Object argument : arguments) {
        add(argument, told);
      }
    }
    List<String> some = told.subList(0, Math.min(told.size(), MOST_TOLD));
    return String.join(", ", some) + (told.size() > MOST_TOLD ? ", …" : "");
  }

  private static void add(@Nullable Object argument, List<String> told) {
    if (argument instanceof Collection<?> several) {
      several.forEach(each -> add(each, told));
    } else if (argument instanceof Optional<?> maybe) {
      maybe.ifPresent(each -> add(each, told));
    } else if (argument instanceof CommitRequest<?> request) {
      add(request.getCommittable(), told);
    } else if (argument != null && isTold(argument)) {
      String text = argument.toString();
      told.add(text.length() > MOST_LETTERS ? text.substring(0, MOST_LETTERS) + "…" : text);
    }
  }

  /** Whether what it says of itself is short, and the same each time it is looked at. */
  private static boolean isTold(Object argument) {
    return argument instanceof CharSequence
        || argument instanceof Number
        || argument instanceof Boolean
        || argument instanceof Enum<?>
        || argument instanceof Record
        || argument instanceof java.nio.file.Path
        || argument.getClass().getName().startsWith("dev.twophase.Transaction");
  }
}
