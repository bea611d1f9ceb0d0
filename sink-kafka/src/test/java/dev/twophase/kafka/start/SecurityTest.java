package dev.twophase.kafka.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.Sinks;
import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.kafka.ListenerSecurity;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writing and recovery over SASL and TLS, from ordinary client properties. */
class SecurityTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private final String topic = SharedKafka.newTopic(1);
  private final String name = SharedKafka.uniqueName("secure");

  private TransactionalKafkaSink<String> sink(ListenerSecurity security) {
    Map<String, String> properties = SharedKafka.cluster().clientProperties(security);
    TransactionalKafkaSink<String> sink =
        TransactionalKafkaSink.<String>builder()
            .setBootstrapServers(properties.get("bootstrap.servers"))
            .setTransactionalIdPrefix(name)
            .setTopic(topic)
            .setValueSerializer(new SimpleStringSchema());
    properties.forEach(
        (property, value) -> {
          if (!property.equals("bootstrap.servers")) {
            sink.setProperty(property, value);
          }
        });
    return sink;
  }

  @ParameterizedTest
  @EnumSource(
      value = ListenerSecurity.class,
      names = {"SASL_PLAINTEXT", "SSL"})
  void W2_recoveryUsesTheSecurityOfTheClientProperties(ListenerSecurity security) throws Exception {
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(sink(security).buildConnector(), name)) {
      prepared = writer.prepare(0, "a");
    }
    String handle = new String(prepared.bytes(), StandardCharsets.ISO_8859_1) + prepared.live();
    assertThat(handle).doesNotContainIgnoringCase("password");

    try (DrivenConnector<String, ?, ?> committer =
        Sinks.committer(sink(security).buildConnector(), name)) {
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(SharedKafka.committed(topic)).containsExactly("a");
  }

  @Test
  void S2_aWrongPasswordIsRefusedWithoutBeingShown() throws Exception {
    TransactionalKafkaSink<String> sink =
        sink(ListenerSecurity.SASL_PLAINTEXT)
            .setProperty(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required"
                    + " username=\"who\" password=\"hunter2\";");
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink.buildConnector(), name)) {
      assertThatThrownBy(() -> writer.prepare(0, "a"))
          .isInstanceOf(SaslAuthenticationException.class)
          .satisfies(error -> assertThat(stackTrace(error)).doesNotContain("hunter2"));
      // At the start of a job, which is before any record.
      assertThatThrownBy(writer::preflight)
          .hasMessageContainingAll(
              "Sink '" + name + "'",
              SharedKafka.cluster()
                  .clientProperties(ListenerSecurity.SASL_PLAINTEXT)
                  .get("bootstrap.servers"),
              "Invalid username or password",
              "sasl.*",
              "setProperty")
          .satisfies(error -> assertThat(stackTrace(error)).doesNotContain("hunter2"));
    }
  }

  private static String stackTrace(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
