package dev.twophase.kafka.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.twophase.error.SetupRefusedException;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.Sinks;
import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.kafka.ListenerSecurity;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** E3: rights that are missing are named before anything is written. */
class AccessTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private final String topic = SharedKafka.newTopic(1);
  private final String name = SharedKafka.uniqueName("access");

  /** Of the user of the SASL listener: whoever comes in by the plain one may do anything. */
  private TransactionalKafkaSink<String> sink() {
    TransactionalKafkaSink<String> sink =
        TransactionalKafkaSink.<String>builder()
            .setTransactionalIdPrefix(name)
            .setTopic(topic)
            .setValueSerializer(new SimpleStringSchema());
    SharedKafka.cluster()
        .clientProperties(ListenerSecurity.SASL_PLAINTEXT)
        .forEach(
            (property, value) -> {
              if (property.equals("bootstrap.servers")) {
                sink.setBootstrapServers(value);
              } else {
                sink.setProperty(property, value);
              }
            });
    return sink;
  }

  /** Allows everybody these, and nobody anything else. */
  private static void allowOnly(
      ResourceType type, PatternType pattern, String resource, AclOperation... operations)
      throws Exception {
    List<AclBinding> bindings = new ArrayList<>();
    ResourcePattern where = new ResourcePattern(type, resource, pattern);
    bindings.add(new AclBinding(where, allow("User:nobody", AclOperation.ALL)));
    for (AclOperation operation : operations) {
      bindings.add(new AclBinding(where, allow("User:*", operation)));
    }
    try (Admin admin = SharedKafka.admin()) {
      admin.createAcls(bindings).all().get();
    }
  }

  private static AccessControlEntry allow(String who, AclOperation operation) {
    return new AccessControlEntry(who, "*", operation, AclPermissionType.ALLOW);
  }

  /** A broker hears of new rights a moment later. */
  private void assertRefused(String... parts) {
    await()
        .untilAsserted(
            () ->
                assertThat(catchThrowable(this::preflight))
                    .isInstanceOf(SetupRefusedException.class)
                    .message()
                    .contains(parts));
  }

  private void preflight() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), name)) {
      writer.preflight();
    }
  }

  @Test
  void withAllRightsItStarts() throws Exception {
    preflight();
  }

  @Test
  void aTopicThatMayNotBeDescribed() throws Exception {
    allowOnly(ResourceType.TOPIC, PatternType.LITERAL, topic);
    assertRefused("topic is " + topic + " (access denied)", "Grant the user WRITE and DESCRIBE");
  }

  @Test
  void aTopicThatMayNotBeWrittenTo() throws Exception {
    allowOnly(ResourceType.TOPIC, PatternType.LITERAL, topic, AclOperation.DESCRIBE);
    assertRefused("topic is " + topic + " (write access denied)", "Grant the user WRITE");
  }

  @Test
  void transactionalIdsThatMayNotBeDescribed() throws Exception {
    allowOnly(ResourceType.TRANSACTIONAL_ID, PatternType.PREFIXED, name + "/");
    assertRefused(
        "transactionalIdPrefix is " + name + " (access denied)",
        "DESCRIBE and WRITE on transactional ids with the prefix '" + name + "/'");
  }

  @Test
  void transactionalIdsThatMayNotBeWritten() throws Exception {
    allowOnly(
        ResourceType.TRANSACTIONAL_ID, PatternType.PREFIXED, name + "/", AclOperation.DESCRIBE);
    assertRefused(
        "transactionalIdPrefix is " + name + " (access denied)",
        "DESCRIBE and WRITE on transactional ids with the prefix '" + name + "/'");
  }

  @Test
  void aTopicThatMayNotBeReadBreaksMarksAndProofs() throws Exception {
    allowOnly(
        ResourceType.TOPIC, PatternType.LITERAL, topic, AclOperation.DESCRIBE, AclOperation.WRITE);
    assertRefused("topic is " + topic + " (read access denied)", "setRewindDetection(false)");
  }

  @Test
  void groupsThatMayNotBeDescribed() throws Exception {
    allowOnly(ResourceType.GROUP, PatternType.PREFIXED, "twophase." + name + ".");
    assertRefused(
        "consumer group is twophase." + name + ".0 (access denied)",
        "READ and DESCRIBE on groups with the prefix 'twophase." + name + ".'");
  }

  @Test
  void groupsThatMayNotBeRead() throws Exception {
    allowOnly(
        ResourceType.GROUP, PatternType.PREFIXED, "twophase." + name + ".", AclOperation.DESCRIBE);
    assertRefused(
        "consumer group is twophase." + name + ".0 (access denied)",
        "READ and DESCRIBE on groups with the prefix 'twophase." + name + ".'");
  }
}
