package dev.twophase.kafka.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.kafka.PassingClients;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.Sinks;
import dev.twophase.kafka.internal.client.KafkaClients;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A transaction's mark is written beside its records: nobody who writes waits for it. */
class MarksBesideWritingTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private static final long SECONDS = 30;

  private final String topic = SharedKafka.newTopic(1);
  private final String name = SharedKafka.uniqueName("marks");

  private DrivenConnector<String, ?, ?> writer(KafkaClients clients) throws Exception {
    return Sinks.writer(Sinks.withClients(Sinks.to(topic, name), clients).buildConnector(), name);
  }

  /** The mark is held back until everything else is written, which therefore did not wait. */
  @Test
  void R6_aMarkThatComesLastIsCommittedWithItsRecords() throws Exception {
    try (Admin admin = SharedKafka.admin();
        DrivenConnector<String, ?, ?> writer = writer(SlowMarks.heldBack())) {
      Prepared prepared = writer.prepare(1, "a", "b");
      writer.commitLive(prepared);
      SharedKafka.awaitWritten(admin, prepared);
      assertThat(writer.connector().committedSince(1)).contains(prepared.id());
    }
    assertThat(SharedKafka.committed(topic)).containsExactly("a", "b");
  }

  @Test
  void W3_aMarkThatIsRefusedFailsTheTransactionWithItsRemedy() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = writer(new RefusedMarks())) {
      assertThatThrownBy(() -> writer.prepare(1, "a"))
          .isInstanceOf(KafkaException.class)
          .hasMessageContainingAll(
              "could not be prepared", "Grant the user READ on group", "setRewindDetection");
    }
    assertThat(SharedKafka.committed(topic)).isEmpty();
  }

  @Test
  @Timeout(value = SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void A1_theMarkOfAnAbortedTransactionHoldsUpNoOther() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = writer(StuckMark.ofTheFirst())) {
      abortOne(writer);
      writer.commitLive(writer.prepare(1, "next"));
    }
    assertThat(SharedKafka.committed(topic)).containsExactly("next");
  }

  private static <T> void abortOne(DrivenConnector<String, T, ?> writer) throws Exception {
    T transaction = writer.begin(0, "aborted");
    StuckMark.stuck.await();
    writer.connector().abort(transaction);
  }

  /** Marks wait until somebody flushes. */
  private record SlowMarks() implements PassingClients {

    // Outside the object, which is serialized with the sink.
    private static volatile CountDownLatch flushed = new CountDownLatch(1);

    static SlowMarks heldBack() {
      flushed = new CountDownLatch(1);
      return new SlowMarks();
    }

    @Override
    public Producer<byte[], byte[]> producer(Properties properties) {
      Producer<byte[], byte[]> real = KafkaClients.real().producer(properties);
      return before(
          real,
          method -> {
            if (method.equals("sendOffsetsToTransaction")
                && !flushed.await(SECONDS, TimeUnit.SECONDS)) {
              throw new KafkaException("Nobody flushes: whoever writes waits for the mark");
            } else if (method.equals("flush")) {
              real.flush();
              flushed.countDown();
            }
          });
    }
  }

  /** The first one is never answered. */
  private record StuckMark() implements PassingClients {

    private static volatile CountDownLatch stuck = new CountDownLatch(1);

    static StuckMark ofTheFirst() {
      stuck = new CountDownLatch(1);
      return new StuckMark();
    }

    @Override
    public Producer<byte[], byte[]> producer(Properties properties) {
      return before(
          KafkaClients.real().producer(properties),
          method -> {
            if (method.equals("sendOffsetsToTransaction") && stuck.getCount() > 0) {
              stuck.countDown();
              new CountDownLatch(1).await();
            }
          });
    }
  }

  private record RefusedMarks() implements PassingClients {

    @Override
    public Producer<byte[], byte[]> producer(Properties properties) {
      return before(
          KafkaClients.real().producer(properties),
          method -> {
            if (method.equals("sendOffsetsToTransaction")) {
              throw GroupAuthorizationException.forGroupId("the group");
            }
          });
    }
  }

  private interface Event {
    void of(String method) throws Exception;
  }

  @SuppressWarnings("unchecked") // the type of an interface with parameters
  private static Producer<byte[], byte[]> before(Producer<byte[], byte[]> real, Event event) {
    return (Producer<byte[], byte[]>)
        Proxy.newProxyInstance(
            Producer.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, arguments) -> call(real, event, method, arguments));
  }

  private static Object call(
      Producer<byte[], byte[]> real, Event event, Method method, Object[] arguments)
      throws Throwable {
    event.of(method.getName());
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
