package dev.twophase.file.contract;

import dev.twophase.file.SimulatedDisk;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.contract.PublishedRecords.Published;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Faults;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;

/**
 * The sink on a disk that forgets what was not synced, judged by what a power failure would leave:
 * whatever the schedule, every record of a completed checkpoint is among it.
 */
@Tag("one-flink-line")
class PowerFailureContractTest extends FileSinkContract {

  private static final Map<String, SimulatedDisk> DISKS = new ConcurrentHashMap<>();

  @Override
  public Object sink(SinkSetup setup) {
    Faults faults = setup.faults();
    String namespace = setup.namespace();
    return Sinks.on(
            uri -> faulty(faults, disk(namespace)),
            TransactionalFileSink.forLines(URI.create("file:/" + namespace))
                .name(setup.sinkName())
                .options(setup.options())
                .rollAtRecords(1)
                .ioThreads(1))
        .buildSink();
  }

  @Override
  protected Bound bound() {
    return super.bound().withBudget(Duration.ofSeconds(30));
  }

  @Override
  public List<TestRecord> readVisible(String namespace) throws Exception {
    List<Published> files = new ArrayList<>();
    disk(namespace)
        .afterPowerFailure()
        .files()
        .forEach(
            (name, content) -> {
              if (!name.startsWith(".")) {
                files.add(new Published(name, content, () -> content.lines().toList()));
              }
            });
    return published.of(namespace, files);
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) {
    return Optional.of(
        disk(namespace).files().keySet().stream().filter(name -> name.startsWith(".")).toList());
  }

  @Override
  public void cleanUp(String namespace) {
    published.forget(namespace);
    DISKS.remove(namespace);
  }

  private static SimulatedDisk disk(String namespace) {
    return DISKS.computeIfAbsent(namespace, missing -> new SimulatedDisk());
  }
}
