package dev.twophase.kafka.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.error.SetupRefusedException;
import dev.twophase.flink.TransactionalSinkFunction;
import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.policy.SinkOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be built, and what it says. */
class BuilderTest {

  private static TransactionalKafkaSink<String> complete() {
    return TransactionalKafkaSink.<String>builder()
        .setBootstrapServers("nowhere:9092")
        .setTransactionalIdPrefix("orders")
        .setTopic("orders")
        .setValueSerializer(new SimpleStringSchema());
  }

  @Test
  void E3_whatIsMissingIsNamedWithItsSetter() {
    TransactionalKafkaSink<String> sink = TransactionalKafkaSink.builder();
    assertThatThrownBy(sink::buildSink).hasMessageContaining("setTransactionalIdPrefix");
    sink.setTransactionalIdPrefix("orders");
    assertThatThrownBy(sink::buildSink).hasMessageContaining("setBootstrapServers");
    sink.setBootstrapServers("nowhere:9092");
    assertThatThrownBy(sink::buildSink).hasMessageContaining("setTopic");
    sink.setTopic("orders");
    assertThatThrownBy(sink::buildSink).hasMessageContaining("setValueSerializer");
    sink.setValueSerializer(new SimpleStringSchema());
    assertThat(sink.buildSink()).hasToString("TransactionalSink[orders]");
  }

  @Test
  void E3_aTopicAndATopicSelectorAreNotBothTaken() {
    assertThatThrownBy(() -> complete().setTopicSelector(record -> "eu").buildSink())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("setTopic(\"orders\")")
        .hasMessageContaining("setTopicSelector")
        .hasMessageContaining("leave one of them out");
  }

  @Test
  void E3_aRecordMapperIsNotTakenBesideWhatItReplaces() {
    TransactionalKafkaSink<String> sink =
        complete().setRecordMapper((record, context) -> new ProducerRecord<>("orders", null));
    assertThatThrownBy(sink::buildSink)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("setRecordMapper and setValueSerializer")
        .hasMessageContaining("leave one of them out");
  }

  /** Core knows of a lifetime; who sets it knows of a setter. */
  @Test
  void E3_aTimeoutThatNoRestartFitsIntoIsRefusedByItsSetter() {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.enableCheckpointing(1_000);
    assertThatThrownBy(
            () ->
                TransactionalSinkFunction.addTo(
                    environment.fromData("a"),
                    "orders-sink",
                    complete().setTransactionTimeout(Duration.ofMinutes(1)).buildFunction()))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("setTransactionTimeout is PT1M")
        .hasMessageContaining("raise it");
  }

  @ParameterizedTest
  @CsvSource({
    "transactional.id, x, setTransactionalIdPrefix",
    "transaction.timeout.ms, 1, setTransactionTimeout",
    "bootstrap.servers, x, setBootstrapServers",
    "key.serializer, x, setKeySerializer",
    "bootstrap.controllers, x:1, setBootstrapServers",
    "transaction.two.phase.commit.enable, true, leave it out",
    "acks, 1, lost",
    "enable.idempotence, false, duplicated"
  })
  void E3_aPropertyThatWouldBreakTheGuaranteeIsRefused(String property, String value, String says) {
    assertThatThrownBy(() -> complete().setProperty(property, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(property)
        .hasMessageContaining(says);
  }

  @ParameterizedTest
  @CsvSource({
    "batch.size, abc, Not a number",
    "retries, 0, idempotent",
    "max.in.flight.requests.per.connection, 10, 5",
    "compression.type, foo, gzip",
    "delivery.timeout.ms, 1000, request.timeout.ms",
    "default.api.timeout.ms, 1000, 'at least request.timeout.ms, which is 30000'",
    "request.timeout.ms, 0, at least 1",
    "session.timeout.ms, 1, 'above heartbeat.interval.ms, which is 3000'",
    "buffer.memory, 10, 'at least batch.size, which is 65536'"
  })
  void E3_aPropertyThatTheClientsWouldRefuseIsRefusedWhenTheSinkIsBuilt(
      String property, String value, String says) {
    assertThatThrownBy(() -> complete().setProperty(property, value).buildSink())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(property)
        .hasMessageContaining(says)
        .hasMessageContaining("setProperty");
  }

  /** It may be there on the cluster, and is left to the clients. */
  @Test
  void E3_aClassThatIsNotHereKeepsNoOtherPropertyFromBeingChecked() {
    TransactionalKafkaSink<String> sink = complete().setProperty("partitioner.class", "no.such.C");
    assertThat(sink.buildSink()).isNotNull();
    for (String wrong :
        List.of("delivery.timeout.ms", "fetch.max.bytes", "default.api.timeout.ms")) {
      assertThatThrownBy(
              () ->
                  complete()
                      .setProperty("partitioner.class", "no.such.C")
                      .setProperty(wrong, "-1")
                      .buildSink())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(wrong);
    }
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // as callers do to whom generics are in the way
  void E3_aClassThatCannotBeASerializerIsRefusedByItsSetter() {
    assertThatThrownBy(() -> complete().setValueSerializer((Class) String.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("setValueSerializer", "java.lang.String", "Serializer");
    assertThatThrownBy(() -> complete().setKeySerializer((Class) Serializer.class))
        .hasMessageContainingAll("setKeySerializer", "abstract", "constructor without arguments");
    assertThatThrownBy(() -> complete().setKeySerializer(WithArgument.class))
        .hasMessageContainingAll("setKeySerializer", "WithArgument", "without arguments");
  }

  private static final class WithArgument extends StringSerializer {
    WithArgument(int argument) {}
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "localhost:",
        "broker:port",
        "broker:0",
        "broker:99999",
        "http://broker:9092",
        "user:hunter2@broker",
        "user:hunter2@broker:9092",
        "user:hunter2:9092"
      })
  void E3_S2_aServerThatIsNotHostAndPortIsRefusedAndNotShown(String wrong) {
    assertThatThrownBy(() -> complete().setBootstrapServers("other:9092," + wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bootstrapServers: server 2 of 2 is not HOST:PORT")
        .hasMessageNotContainingAny(wrong, "hunter2");
  }

  /** Each transaction would leave a record there that no job wrote. */
  @Test
  void E3_aMarkerTopicThatIsTheTopicOfTheRecordsIsRefused() {
    assertThatThrownBy(() -> complete().setMarkerTopic("orders").buildSink())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("setTopic", "setMarkerTopic", "orders", "name another");
  }

  @Test
  void E3_aTopicOfKafkasOwnIsRefused() {
    assertThatThrownBy(() -> complete().setTopic("__consumer_offsets"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("topic is __consumer_offsets, which is Kafka's own");
    assertThatThrownBy(() -> complete().setMarkerTopic("__transaction_state"))
        .hasMessageContaining("markerTopic is __transaction_state, which is Kafka's own");
  }

  @Test
  void E3_aPropertyWithoutANameIsRefused() {
    assertThatThrownBy(() -> complete().setProperty(" ", "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("property is blank: give it a value");
  }

  @Test
  void whatTheClientsTakeIsTaken() {
    assertThat(
            complete()
                .setBootstrapServers(
                    "broker_1:9092, [::1]:9092,[fe80::1%eth0]:1,SASL_SSL://b.c-d:65535")
                .setProperty("acks", " all")
                .setProperty("enable.idempotence", "TRUE")
                .setProperty("batch.size", " 1000 ")
                .buildSink())
        .isNotNull();
  }

  @Test
  void theGuaranteeThatWasSetHoldsWhateverTheOptionsSay() {
    assertThatThrownBy(
            () ->
                complete()
                    .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                    .setOptions(
                        SinkOptions.defaults().withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE))
                    .setProperty("retries", "0")
                    .buildSink())
        .hasMessageContaining("retries");
  }

  @Test
  void E3_propertiesThatAreNoStringsAreTakenOrRefused() {
    Properties numbers = new Properties();
    numbers.put("batch.size", 0.5);
    assertThatThrownBy(() -> complete().setProperties(numbers).buildSink())
        .hasMessageContaining("0.5 for configuration batch.size");
    Properties weak = new Properties();
    weak.put("acks", 1);
    assertThatThrownBy(() -> complete().setProperties(weak)).hasMessageContaining("acks is 1");
    Properties odd = new Properties();
    odd.put("metric.reporters", new Object[0]);
    assertThatThrownBy(() -> complete().setProperties(odd))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("metric.reporters")
        .hasMessageContaining("as a string");
    Properties inherited = new Properties(weak);
    inherited.put("linger.ms", 5);
    inherited.put("interceptor.classes", String.class);
    assertThat(complete().setProperties(inherited).buildSink()).isNotNull();
  }

  @Test
  void W6_aNameThatCouldBeMistakenForAnothersIsRefused() {
    assertThatThrownBy(() -> complete().setTransactionalIdPrefix("orders/eu"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("transactionalIdPrefix")
        .hasMessageContaining("'orders/eu'");
  }

  @Test
  void aTimeoutThatKafkaCannotExpressIsRefused() {
    assertThatThrownBy(() -> complete().setTransactionTimeout(Duration.ZERO))
        .hasMessageContaining("transactionTimeout is PT0S");
    assertThatThrownBy(() -> complete().setTransactionTimeout(Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("transactionTimeout is PT2562047788015215H30M7S");
  }

  @Test
  @SuppressWarnings("NullAway") // which callers do not have
  void E3_whatIsNullIsNamed() {
    TransactionalKafkaSink<String> sink = complete();
    Map<String, ThrowingCallable> setters = new LinkedHashMap<>();
    setters.put("bootstrapServers", () -> sink.setBootstrapServers(null));
    setters.put("transactionalIdPrefix", () -> sink.setTransactionalIdPrefix(null));
    setters.put("topic", () -> sink.setTopic(null));
    setters.put("topicSelector", () -> sink.setTopicSelector(null));
    setters.put("keySerializer", () -> sink.setKeySerializer((Class<StringSerializer>) null));
    setters.put(
        "valueSerializer's configuration",
        () -> sink.setValueSerializer(StringSerializer.class, null));
    setters.put("transactionTimeout", () -> sink.setTransactionTimeout(null));
    setters.put("markerTopic", () -> sink.setMarkerTopic(null));
    setters.put("options", () -> sink.setOptions(null));
    setters.put("property", () -> sink.setProperty(null, "5"));
    setters.put("property linger.ms", () -> sink.setProperty("linger.ms", null));
    setters.put("properties", () -> sink.setProperties(null));
    setters.forEach(
        (setting, setter) ->
            assertThatThrownBy(setter)
                .isInstanceOf(NullPointerException.class)
                .hasMessage(setting + " is null: give it a value"));
  }

  @Test
  void S2_secretsAreShownNowhere() {
    Properties secrets = new Properties();
    secrets.setProperty("sasl.jaas.config", "required password=\"hunter2\";");
    secrets.setProperty("ssl.key.password", "hunter2");
    TransactionalKafkaSink<String> sink = complete().setProperties(secrets);

    assertThat(sink.toString() + sink.buildSink() + sink.buildFunction() + sink.buildConnector())
        .doesNotContain("hunter2");
  }
}
