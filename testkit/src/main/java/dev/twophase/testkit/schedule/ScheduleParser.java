package dev.twophase.testkit.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the one-line form of a schedule. */
final class ScheduleParser {

  private static final Pattern HEAD = Pattern.compile("2pk/1\\s+p=(\\d+)(?:\\s+src=(\\S+))?");

  private static final Pattern STEP =
      Pattern.compile("(?:s(\\d+|\\*)(?:@(\\d+))?\\.)?([a-z]+)(?:\\s+([^!\\s]+))?((?:\\s+!\\S+)*)");

  private static final Pattern FAULT =
      Pattern.compile("!(?:s(\\d+):)?([A-Za-z_$][\\w.$]*)#(\\d+)=(\\S+)");

  /** In one step; all of them are held in memory. */
  private static final int MOST_RECORDS = 1_000_000;

  private static final int MOST_SUBTASKS = 1_000;

  private static final Pattern NAME = Pattern.compile("[a-z]\\w*");

  private final String line;

  ScheduleParser(String line) {
    this.line = line;
  }

  Schedule parse() {
    String[] parts = line.strip().split("\\s*;\\s*", -1);
    Matcher head = HEAD.matcher(parts[0]);
    if (!head.matches()) {
      int begins = parts[0].indexOf("2pk/");
      if (begins > 0) {
        throw new ScheduleSyntaxException(
            "A schedule begins with '2pk/1 p=N': leave out '"
                + parts[0].substring(0, begins)
                + "'");
      }
      throw new ScheduleSyntaxException(
          "A schedule begins with '2pk/1 p=N' and, if need be, 'src=keyed|fwd|rebal', not with '"
              + parts[0]
              + "'");
    }
    List<Step> steps = new ArrayList<>(parts.length);
    if (parts.length > 1 && parts[parts.length - 1].isEmpty()) {
      throw new ScheduleSyntaxException(
          "Leave out the ';' at the end of the schedule, or name the step that follows");
    }
    for (int i = 1; i < parts.length; i++) {
      try {
        steps.add(step(parts[i]));
      } catch (ScheduleSyntaxException e) {
        throw new ScheduleSyntaxException(
            "Step " + i + " '" + parts[i] + "': " + e.getMessage(), e);
      }
    }
    String source = head.group(2);
    int parallelism = parallelism(head.group(1));
    refuseStrangers(parallelism, steps);
    return new Schedule(parallelism, source == null ? Source.KEYED : Source.of(source), steps);
  }

  /** Only subtasks can be addressed that the job has, or had before it was given fewer. */
  private static void refuseStrangers(int parallelism, List<Step> steps) {
    int most = parallelism;
    for (Step step : steps) {
      most = Math.max(most, step.parallelism());
      int highest = step.subtask();
      for (Fault fault : step.faults()) {
        highest = Math.max(highest, fault.subtask());
      }
      if (highest >= most) {
        throw new ScheduleSyntaxException(
            "'"
                + step
                + "' names subtask "
                + highest
                + ", and the job has s0 to s"
                + (most - 1)
                + ": p="
                + most);
      }
    }
  }

  private static Step step(String text) {
    Matcher matcher = STEP.matcher(text);
    if (!matcher.matches()) {
      throw new ScheduleSyntaxException(
          "expected [sN[@attempt].]verb [argument] [!fault ...], such as s0.ntf 1 !commit#1=A");
    }
    String subtask = matcher.group(1);
    String attempt = matcher.group(2);
    Verb verb = Verb.of(matcher.group(3));
    String argument = matcher.group(4);
    return arguments(
        verb,
        argument == null ? "" : argument,
        subtask == null ? Step.JOB : subtask.equals("*") ? Step.ALL : intOf(subtask),
        attempt == null ? Step.LATEST : intOf(attempt),
        faults(matcher.group(5)));
  }

  private static Step arguments(
      Verb verb, String argument, int subtask, int attempt, List<Fault> faults) {
    long number = 0;
    String word = "";
    int parallelism = Step.SAME;
    switch (verb.argument()) {
      case NONE -> expect(argument.isEmpty(), verb, "no argument", argument);
      case COUNT, CHECKPOINT, MILLIS -> {
        expect(isNumber(argument), verb, "a number", argument);
        number = longOf(argument);
        expect(number > 0, verb, "a number above 0", argument);
        expect(
            number <= MOST_RECORDS || verb.argument() != Verb.Argument.COUNT,
            verb,
            "at most " + MOST_RECORDS + " records",
            argument);
      }
      case NAME -> {
        expect(NAME.matcher(argument).matches(), verb, "a name such as a1", argument);
        word = argument;
      }
      case EXTERNAL -> {
        expect(
            argument.matches("down|up|expire|neighbour"),
            verb,
            "down, up, expire or neighbour",
            argument);
        word = argument;
      }
      case STOP -> {
        expect(argument.matches("[a-z]\\w*(,drain)?"), verb, "NAME or NAME,drain", argument);
        word = argument;
      }
      case RESTORE -> {
        expect(
            argument.matches("(\\d+|[a-z]\\w*)(,p=\\d+)?"),
            verb,
            "a checkpoint, 'none' or a savepoint, and ',p=N' to rescale",
            argument);
        int comma = argument.indexOf(',');
        String from = comma < 0 ? argument : argument.substring(0, comma);
        parallelism = comma < 0 ? Step.SAME : parallelism(argument.substring(comma + 3));
        expect(parallelism != 0, verb, "a parallelism above 0", argument);
        number = isNumber(from) ? longOf(from) : 0;
        word = isNumber(from) || from.equals("none") ? "" : from;
        expect(number > 0 || !isNumber(from), verb, "a checkpoint above 0, or 'none'", argument);
      }
    }
    return new Step(verb, subtask, attempt, number, word, parallelism, faults);
  }

  private static List<Fault> faults(String text) {
    List<Fault> faults = new ArrayList<>();
    for (String part : text.strip().split("\\s+", -1)) {
      if (part.isEmpty()) {
        continue;
      }
      Matcher matcher = FAULT.matcher(part);
      if (!matcher.matches()) {
        throw new ScheduleSyntaxException(
            "'" + part + "' is no fault: expected ![sN:]call#occurrence=kind, such as !commit#1=A");
      }
      String subtask = matcher.group(1);
      faults.add(
          new Fault(
              subtask == null ? Step.SAME : intOf(subtask),
              matcher.group(2),
              intOf(matcher.group(3)),
              FaultKind.of(matcher.group(4))));
    }
    return faults;
  }

  private static void expect(boolean holds, Verb verb, String expected, String found) {
    if (!holds) {
      throw new ScheduleSyntaxException(
          "'"
              + verb.word()
              + "' takes "
              + expected
              + (found.isEmpty() ? ", which is missing" : ", not '" + found + "'"));
    }
  }

  private static int parallelism(String digits) {
    int parallelism = intOf(digits);
    if (parallelism > MOST_SUBTASKS) {
      throw new ScheduleSyntaxException(
          "p=" + digits + " is too large: use at most " + MOST_SUBTASKS);
    }
    return parallelism;
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static int intOf(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw new ScheduleSyntaxException("'" + digits + "' is too large", e);
    }
  }

  private static long longOf(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw new ScheduleSyntaxException("'" + digits + "' is too large", e);
    }
  }
}
