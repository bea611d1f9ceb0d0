package dev.twophase.file.contract;

import dev.twophase.file.Sinks;
import dev.twophase.file.manifest.ManifestReader;
import dev.twophase.testkit.AtomicUnit;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.time.Duration;
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
    ManifestReader reader = ManifestReader.of(root.resolve(namespace), "sut");
    return Sinks.lines(reader, reader.readAll()).stream().map(TestRecord::fromText).toList();
  }
}
