package dev.twophase.file.contract;

import dev.twophase.TransactionId;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What published files hold, in the order of the names' checkpoints and parts, which is the order
 * of the records of a key. The kit asks after every step of a run, so each file is read once, and
 * again when it is another than before.
 */
public final class PublishedRecords {

  /** Reads a file's lines. */
  @FunctionalInterface
  public interface Content {
    List<String> lines() throws IOException;
  }

  /**
   * A visible file.
   *
   * @param name without directories
   * @param version changes with the content; where two files of one name are visible, theirs differ
   */
  public record Published(String name, String version, Content content) {}

  private record Known(TransactionId id, int part, List<TestRecord> records) {}

  private static final Comparator<Known> IN_ORDER =
      Comparator.<Known>comparingLong(file -> file.id().since())
          .thenComparingInt(file -> file.id().subtask())
          .thenComparingInt(Known::part);

  private final Map<String, Map<Object, Known>> byNamespace = new ConcurrentHashMap<>();

  /** All records of these files. */
  public List<TestRecord> of(String namespace, List<Published> files) throws IOException {
    Map<Object, Known> known =
        byNamespace.computeIfAbsent(namespace, first -> new ConcurrentHashMap<>());
    List<Known> sorted = new ArrayList<>();
    for (Published file : files) {
      Object version = List.of(file.name(), file.version());
      Known before = known.get(version);
      if (before == null) {
        before = read(file);
        known.put(version, before);
      }
      sorted.add(before);
    }
    sorted.sort(IN_ORDER);
    List<TestRecord> records = new ArrayList<>();
    sorted.forEach(file -> records.addAll(file.records()));
    return records;
  }

  /** The run is over. */
  public void forget(String namespace) {
    byNamespace.remove(namespace);
  }

  /** Of any sink, since neighbours publish in the same place; the name has the usual prefix. */
  private static Known read(Published file) throws IOException {
    int end = file.name().lastIndexOf('.');
    return new Known(
        TransactionId.parse(file.name().substring(file.name().indexOf('.') + 1, end)).orElseThrow(),
        Integer.parseInt(file.name().substring(end + 1)),
        file.content().lines().stream().map(TestRecord::fromText).toList());
  }
}
