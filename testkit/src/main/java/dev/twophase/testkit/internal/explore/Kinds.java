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

  private static final List<FaultKind> FREEZING =
      List.of(FaultKind.KILL, FaultKind.ERROR, FaultKind.APPLIED, FaultKind.DELAYED);

  /** Reading what others do, an attempt may act on it when that is no longer true. */
  private static final List<FaultKind> LISTING =
      List.of(FaultKind.KILL, FaultKind.ERROR, FaultKind.DELAYED);

  private static final List<String> LISTING_PREFIXES = List.of("unfinished", "list");

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
  private static final Map<String, List<FaultKind>> KNOWN_FREEZING = new ConcurrentHashMap<>();

  private Kinds() {}

  static List<FaultKind> of(String callClass) {
    List<FaultKind> known = KNOWN.get(callClass);
    return known != null ? known : KNOWN.computeIfAbsent(callClass, Kinds::classify);
  }

  /** The same where an attempt may also freeze in a call: the last kind is that, if it may. */
  static List<FaultKind> freezing(String callClass) {
    List<FaultKind> known = KNOWN_FREEZING.get(callClass);
    return known != null
        ? known
        : KNOWN_FREEZING.computeIfAbsent(callClass, Kinds::classifyFreezing);
  }

  private static List<FaultKind> classify(String callClass) {
    return startsWithOneOf(callClass, WITHOUT_EFFECT_PREFIXES) ? WITHOUT_EFFECT : WITH_EFFECT;
  }

  private static List<FaultKind> classifyFreezing(String callClass) {
    if (startsWithOneOf(callClass, LISTING_PREFIXES)) {
      return LISTING;
    }
    return startsWithOneOf(callClass, WITHOUT_EFFECT_PREFIXES) ? WITHOUT_EFFECT : FREEZING;
  }

  private static boolean startsWithOneOf(String callClass, List<String> prefixes) {
    String method = callClass.substring(callClass.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return prefixes.stream().anyMatch(method::startsWith);
  }
}
