package dev.twophase.testkit.internal.explore.choice;

import dev.twophase.testkit.proxy.wire.WireRequest;
import dev.twophase.testkit.schedule.FaultKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Which kinds of fault can happen to a call. To one that is known to change nothing, a lost reply
 * is the same as an error, and is left out. Thread-safe.
 */
public final class Kinds {

  private static final List<FaultKind> WITH_EFFECT =
      List.of(FaultKind.KILL, FaultKind.ERROR, FaultKind.APPLIED);

  /** Of bytes of which it is not known what they are part of. */
  private static final List<FaultKind> OF_BYTES = List.of(FaultKind.KILL, FaultKind.UNKNOWN);

  private static final List<FaultKind> WITHOUT_EFFECT = List.of(FaultKind.KILL, FaultKind.ERROR);

  private static final List<FaultKind> FREEZING =
      List.of(FaultKind.KILL, FaultKind.ERROR, FaultKind.APPLIED, FaultKind.DELAYED);

  /** Reading what others do, an attempt may act on it when that is no longer true. */
  private static final List<FaultKind> LISTING =
      List.of(FaultKind.KILL, FaultKind.ERROR, FaultKind.DELAYED);

  private static final List<String> LISTING_PREFIXES = List.of("unfinished", "list");

  /** Calls of the sink itself that leave nothing behind in the system, by how they begin. */
  private static final List<String> OWN_WITHOUT_EFFECT =
      List.of(
          "open",
          "preflight",
          "unfinished",
          "committedsince",
          "restore",
          "serialize",
          "deserialize",
          "createwriter",
          "createcommitter",
          "initialize",
          "close");

  /**
   * Calls of well-known clients that leave nothing behind. What a name says of a client that nobody
   * knows is no evidence: {@code closeAndPublish} closes, too.
   */
  private static final Set<String> KNOWN_WITHOUT_EFFECT =
      Set.of(
          "DataSource.getConnection",
          "XADataSource.getXAConnection",
          "Connection.unwrap",
          "XAConnection.unwrap",
          "Statement.executeQuery",
          "PreparedStatement.executeQuery",
          "XAResource.getTransactionTimeout",
          "XAResource.recover",
          "FileSystem.access",
          "FileSystem.exists",
          "FileSystem.getFileBlockLocations",
          "FileSystem.getFileChecksum",
          "FileSystem.getFileStatus",
          "FileSystem.listStatus",
          "FileSystem.open",
          "FileSystem.createRecoverableWriter",
          "Postgres.Startup",
          "Postgres.BEGIN",
          "Postgres.SELECT",
          "Postgres.SET",
          "Postgres.SHOW");

  private final Map<String, List<FaultKind>> known = new ConcurrentHashMap<>();
  private final Map<String, List<FaultKind>> knownFreezing = new ConcurrentHashMap<>();
  private final List<FaultKind> withMore;
  private final List<FaultKind> freezingWithMore;

  /**
   * @param more besides the usual ones, for calls that change something
   */
  public Kinds(Set<FaultKind> more) {
    List<FaultKind> added =
        more.stream().filter(kind -> !FREEZING.contains(kind)).sorted().toList();
    this.withMore = Stream.concat(WITH_EFFECT.stream(), added.stream()).toList();
    this.freezingWithMore = Stream.concat(withMore.stream(), Stream.of(FaultKind.DELAYED)).toList();
  }

  List<FaultKind> of(String callClass) {
    List<FaultKind> found = known.get(callClass);
    return found != null ? found : known.computeIfAbsent(callClass, this::classify);
  }

  /** The same where an attempt may also freeze in a call: the last kind is that, if it may. */
  List<FaultKind> freezing(String callClass) {
    List<FaultKind> found = knownFreezing.get(callClass);
    return found != null ? found : knownFreezing.computeIfAbsent(callClass, this::classifyFreezing);
  }

  private List<FaultKind> classify(String callClass) {
    if (callClass.equals(WireRequest.MORE_BYTES)) {
      return OF_BYTES;
    }
    return changesNothing(callClass) ? WITHOUT_EFFECT : withMore;
  }

  private List<FaultKind> classifyFreezing(String callClass) {
    if (callClass.equals(WireRequest.MORE_BYTES)) {
      return OF_BYTES;
    }
    if (!changesNothing(callClass)) {
      return freezingWithMore;
    }
    return startsWithOneOf(callClass, LISTING_PREFIXES) ? LISTING : WITHOUT_EFFECT;
  }

  private static boolean changesNothing(String callClass) {
    return callClass.indexOf('.') < 0
        ? startsWithOneOf(callClass, OWN_WITHOUT_EFFECT)
        : KNOWN_WITHOUT_EFFECT.contains(callClass);
  }

  private static boolean startsWithOneOf(String callClass, List<String> prefixes) {
    String method = callClass.substring(callClass.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return prefixes.stream().anyMatch(method::startsWith);
  }
}
