package dev.twophase.kafka.contract;

import dev.twophase.kafka.PassingClients;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.Sinks;
import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.kafka.internal.client.EndTransactions;
import dev.twophase.kafka.internal.client.KafkaClients;
import dev.twophase.policy.RewindPolicy;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.ExactlyOnceSinkContract;
import dev.twophase.testkit.Faults;
import dev.twophase.testkit.OrderScope;
import dev.twophase.testkit.ScheduleTest;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The sink under the kit, against a real broker: each call of a producer and each request that ends
 * a transaction can fail, lose its reply, or kill the attempt. One topic per run.
 */
abstract class KafkaSinkContract extends ExactlyOnceSinkContract<String> {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  TransactionalKafkaSink<String> configured(SinkSetup setup) {
    return configured(setup, new FaultyClients(setup.namespace(), topic(setup), setup.faults()));
  }

  static TransactionalKafkaSink<String> configured(SinkSetup setup, KafkaClients clients) {
    return Sinks.withClients(
        Sinks.to(topic(setup), setup.sinkName())
            .setKeySerializer(
                record -> TestRecord.fromText(record).key().getBytes(StandardCharsets.UTF_8))
            .setOptions(setup.options()),
        clients);
  }

  /**
   * Each sink has one of its own. Kafka shows readers nothing behind a transaction that is not
   * decided: what a refused start leaves prepared would hide the neighbour's records until it times
   * out, which is no loss of theirs.
   */
  static String topic(SinkSetup setup) {
    return setup.namespace() + "." + setup.sinkName();
  }

  /** Where the runs' topics are made and read. */
  RunTopics topics() {
    return RunTopics.shared();
  }

  /** What changes something at the broker passes the kit; asking does not. */
  private record FaultyClients(String namespace, String topic, Faults faults)
      implements PassingClients {

    @Override
    public Producer<byte[], byte[]> producer(Properties properties) {
      return FaultyProducer.of(KafkaClients.real().producer(properties), faults);
    }

    @Override
    public Admin admin(Properties properties) {
      // The first that an attempt asks for; a plan made once serves many namespaces.
      RunTopics.shared().create(namespace, topic);
      return KafkaClients.real().admin(properties);
    }

    @Override
    public EndTransactions endTransactions(Properties properties) {
      return faults.around(EndTransactions.class, KafkaClients.real().endTransactions(properties));
    }
  }

  /** A server with threads and a clock of its own. */
  @Override
  public boolean realServers() {
    return true;
  }

  /** Several jobs may write to one topic. */
  @Override
  public boolean toleratesNeighbours() {
    return true;
  }

  @Override
  protected Bound bound() {
    // A run takes a second here, most of it waiting for the broker. The nightly run exhausts it.
    Bound bound = super.bound();
    return bound.equals(Bound.oneFault())
        ? bound.withParallelism(1).withCheckpoints(1).withBudget(Duration.ofSeconds(20))
        : Bound.oneFault().withCheckpoints(1).withBudget(bound.budget());
  }

  @Override
  public int concurrentRuns() {
    return 8;
  }

  @Override
  public String input(TestRecord record) {
    return record.asText();
  }

  @Override
  public SinkClaims claims() {
    // A decided transaction is visible once its markers are written, which is after the answer.
    return SinkClaims.exactlyOnce()
        .withOrder(OrderScope.KEY)
        .withRewind(RewindPolicy.FAIL)
        .withVisibilityDelay(Duration.ofSeconds(20));
  }

  /** To the checkpoint before the last one, and to none. */
  @ScheduleTest({
    "2pk/1 p=1; s0.in 2; s0.bar 1; done 1; s0.ntf 1; s0.in 1; s0.bar 2; done 2; s0.ntf 2; s0.kill;"
        + " up 1; settle",
    "2pk/1 p=1; s0.in 2; s0.bar 1; done 1; s0.ntf 1; s0.kill; up none; settle"
  })
  void R6_aJobTakenBackBehindWhatItPublishedStopsAndDuplicatesNothing() {}

  /** What it has prepared is there when a sink of a shorter name recovers, and when it sweeps. */
  @ScheduleTest({
    "2pk/1 p=1; ext neighbour; s0.in 1; s0.bar 1; done 1; s0.ntf 1; settle",
    "2pk/1 p=1; s0.in 1; ext neighbour; s0.kill; up none; s0.in 1; s0.bar 1; done 1; s0.ntf 1;"
        + " settle"
  })
  void R2_aNeighbourOfALongerNameLosesNothing() {}

  @Override
  public List<TestRecord> readVisible(String namespace) {
    return topics().committed(namespace);
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) throws Exception {
    return Optional.of(topics().unfinished(namespace));
  }

  @Override
  public void cleanUp(String namespace) throws Exception {
    topics().delete(namespace);
  }
}
