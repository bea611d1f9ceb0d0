package dev.twophase.kafka.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.error.TransactionLostException;
import dev.twophase.kafka.ProxiedKafka;
import dev.twophase.testkit.kafka.KafkaCluster;
import dev.twophase.testkit.proxy.Interception;
import dev.twophase.testkit.proxy.RequestFault;
import dev.twophase.testkit.proxy.wire.WireReply;
import dev.twophase.testkit.proxy.wire.WireRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** C6, C7: whatever becomes of a request or of its reply, each record is there once. */
class LostRepliesTest {

  private static final long RECORDS = 1_000;
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  @RegisterExtension
  static final ProxiedKafka KAFKA =
      new ProxiedKafka(KafkaCluster.builder().property("broker.session.timeout.ms", 3_000));

  @ParameterizedTest
  @CsvSource({"EndTxn,REPLY_LOST,2", "EndTxn,NOT_SENT,1", "EndTxn,REPLY_SWALLOWED,2"})
  void aCommitOrItsReplyIsLost(String request, RequestFault fault, int version) throws Exception {
    nothingIsLostOrRepeated(request, fault, version);
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({
    "EndTxn,REPLY_LOST,1",
    "EndTxn,NOT_SENT,2",
    "EndTxn,REPLY_SWALLOWED,1",
    "Produce,REPLY_LOST,2",
    "Produce,REPLY_SWALLOWED,2",
    "InitProducerId,REPLY_LOST,1",
    "DescribeTransactions,REPLY_LOST,2",
  })
  void anyOtherRequestOrReplyIsLost(String request, RequestFault fault, int version)
      throws Exception {
    nothingIsLostOrRepeated(request, fault, version);
  }

  private static void nothingIsLostOrRepeated(String request, RequestFault fault, int version)
      throws Exception {
    KAFKA.cluster().setTransactionVersion(version);
    try (ChaosJob job = ChaosJob.start(KAFKA.cluster(), RECORDS)) {
      job.awaitCommitted(RECORDS / 5);
      List<Interception> faults = new ArrayList<>();
      // One for each subtask, and one more to hit a retry.
      for (int i = 0; i < 3; i++) {
        faults.add(KAFKA.proxy().intercept(WireRequest.ofType(request), fault));
      }
      faults.get(0).awaitFired(LONG);
      job.assertExactlyOnce();
    }
  }

  @Test
  void aBrokerKilledWhenItHasCommittedAndNobodyWasTold() throws Exception {
    try (ChaosJob job = ChaosJob.start(KAFKA.cluster(), RECORDS)) {
      job.awaitCommitted(RECORDS / 5);
      Interception lost =
          KAFKA.proxy().intercept(WireRequest.ofType("EndTxn"), RequestFault.REPLY_LOST);
      lost.awaitFired(LONG);
      KAFKA.cluster().broker(1).kill();
      assertThat(lost.answer()).contains(WireReply.Outcome.SUCCESS);
      KAFKA.cluster().broker(1).start();
      job.assertExactlyOnce();
    }
  }

  @Test
  void aNetworkThatIsSilentForAWhile() throws Exception {
    try (ChaosJob job = ChaosJob.start(KAFKA.cluster(), RECORDS)) {
      job.awaitCommitted(RECORDS / 5);
      KAFKA.proxy().stallAll();
      ChaosJob.outlastTimeouts();
      KAFKA.proxy().cutAll();
      KAFKA.proxy().resumeAll();
      job.assertExactlyOnce();
    }
  }

  /** The job may be restarted a hundred times: it must not be, once. */
  @Test
  void C9_anOutageLongerThanTheTimeoutIsALossThatNamesWhatAndEndsTheJob() throws Exception {
    try (ChaosJob job = ChaosJob.withTimeout(KAFKA.cluster(), TIMEOUT, RECORDS * 100)) {
      job.awaitCommitted(RECORDS / 10);
      // A checkpoint that is complete, and whose commits do not arrive.
      List<Interception> unsent = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        unsent.add(KAFKA.proxy().intercept(WireRequest.ofType("EndTxn"), RequestFault.NOT_SENT));
      }
      unsent.get(0).awaitFired(LONG);
      KAFKA.proxy().refuse(true);
      KAFKA.proxy().cutAll();
      ChaosJob.outlast(TIMEOUT.plusSeconds(3));
      KAFKA.proxy().heal();

      Throwable failure = job.failure();

      assertThat(ExceptionUtils.findThrowable(failure, TransactionLostException.class))
          .hasValueSatisfying(
              lost ->
                  assertThat(lost.getMessage())
                      .containsPattern("Lost transaction " + job.topic() + "[.][01][.]")
                      .containsPattern("of checkpoint [0-9]+ with [0-9]+ records written from")
                      .containsPattern("written from 20[0-9T:.-]+Z to 20[0-9T:.-]+Z")
                      .containsPattern(job.topic() + " partitions \\[[0-2]"));
      assertThat(failure).hasStackTraceContaining("The failure is not recoverable");
      assertThat(job.seen()).doesNotHaveDuplicates();
    }
  }
}
