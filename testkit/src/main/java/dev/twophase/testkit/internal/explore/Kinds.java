package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.schedule.FaultKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which kinds of fault can happen to a call. To one that changes nothing, a lost reply is the same
 * as an error, and is left out.
 */
final class Kinds {

  private static final List<FaultKind> WITH_EFFECT =
      List.of(FaultKind.KILL, FaultKind.ERROR, FaultKind.APPLIED);

  private static final List<FaultKind> WITHOUT_EFFECT = List.of(FaultKind.KILL, FaultKind.ERROR);

  private static final List<String> WITHOUT_EFFECT_PREFIXES =
      List.of(
          "open",
          "preflight",
          "unfinished",
          "committedsince",
          "restore",
          "serialize",
          "deserialize",
          "create",
          "initialize",
          "close",
          "get",
          "is",
          "list",
          "read");

  private static final Map<String, List<FaultKind>> KNOWN = new ConcurrentHashMap<>();

  private Kinds() {}

  static List<FaultKind> of(String callClass) {
    List<FaultKind> known = KNOWN.get(callClass);
    return known != null ? known : KNOWN.computeIfAbsent(callClass, Kinds::classify);
  }

  private static List<FaultKind> classify(String callClass) {
    String method = callClass.substring(callClass.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return WITHOUT_EFFECT_PREFIXES.stream().anyMatch(method::startsWith)
        ? WITHOUT_EFFECT
        : WITH_EFFECT;
  }
}
