package dev.twophase.file.contract;

import dev.twophase.file.Sinks;
import dev.twophase.file.manifest.CommittedFile;
import dev.twophase.file.manifest.ManifestReader;
import dev.twophase.testkit.AtomicUnit;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;

/** The sink with manifests, seen through them: what they list is whole, and all of it is listed. */
@Tag("one-flink-line")
class ManifestContractTest extends FileSinkContract {

  /**
   * What has been seen of a namespace.
   *
   * @param readers by the name of the sink, which may get a neighbour
   * @param records by a file's path and what tells whether it still is the same
   */
  private record Seen(Map<String, ManifestReader> readers, Map<Object, List<TestRecord>> records) {}

  private final Map<String, Seen> seen = new ConcurrentHashMap<>();

  @Override
  public Object sink(SinkSetup setup) {
    seen.computeIfAbsent(
            setup.namespace(), first -> new Seen(new TreeMap<>(), new ConcurrentHashMap<>()))
        .readers()
        .computeIfAbsent(
            setup.sinkName(), name -> ManifestReader.of(root.resolve(setup.namespace()), name));
    return configured(setup).manifests().buildSink();
  }

  /** The manifests' own promise. */
  @Override
  public SinkClaims claims() {
    return super.claims().withUnit(AtomicUnit.CHECKPOINT);
  }

  /** A build takes what time allows; the nightly run exhausts one fault. */
  @Override
  protected Bound bound() {
    Bound bound = super.bound();
    return bound.equals(Bound.oneFault())
        ? bound.withBudget(Duration.ofSeconds(20))
        : Bound.oneFault().withBudget(bound.budget());
  }

  @Override
  public List<TestRecord> readVisible(String namespace) throws Exception {
    Seen known = seen.get(namespace);
    List<TestRecord> records = new ArrayList<>();
    for (ManifestReader reader : known.readers().values()) {
      for (CommittedFile file : reader.readAll()) {
        Path path = root.resolve(namespace).resolve(file.path());
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        Object version = file + " " + now.fileKey() + " " + now.lastModifiedTime();
        if (!known.records().containsKey(version)) {
          known.records().put(version, read(reader, file));
        }
        records.addAll(known.records().get(version));
      }
    }
    return records;
  }

  private static List<TestRecord> read(ManifestReader reader, CommittedFile file)
      throws IOException {
    return Sinks.lines(reader, List.of(file)).stream().map(TestRecord::fromText).toList();
  }

  @Override
  public void cleanUp(String namespace) throws Exception {
    seen.remove(namespace);
    super.cleanUp(namespace);
  }
}
