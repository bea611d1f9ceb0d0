package dev.twophase.file.contract;

import dev.twophase.file.manifest.CommittedFile;
import dev.twophase.file.manifest.ManifestReader;
import dev.twophase.testkit.AtomicUnit;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** The sink with manifests, seen through them: what they list is whole, and all of it is listed. */
@Tag("one-flink-line")
class ManifestContractTest extends FileSinkContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).manifests().buildSink();
  }

  /** The manifests' own promise. */
  @Override
  public SinkClaims claims() {
    return super.claims().withUnit(AtomicUnit.CHECKPOINT);
  }

  @Override
  protected Bound bound() {
    return super.bound().withBudget(Duration.ofSeconds(30));
  }

  @Override
  public List<TestRecord> readVisible(String namespace) throws Exception {
    Path directory = root.resolve(namespace);
    ManifestReader reader = ManifestReader.of(directory, "sut");
    List<TestRecord> records = new ArrayList<>();
    for (CommittedFile file : reader.readAll()) {
      reader.verify(file);
      for (String line : Files.readAllLines(directory.resolve(file.path()))) {
        records.add(TestRecord.fromText(line));
      }
    }
    return records;
  }
}
