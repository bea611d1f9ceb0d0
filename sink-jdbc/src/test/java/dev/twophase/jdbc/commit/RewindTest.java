package dev.twophase.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.Unfinished;
import dev.twophase.jdbc.CommitMode;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.OrdersOnPostgres;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.SmallBlocks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Opening;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Going back, cloning, starting anew (R6): what the ledger proves, in both modes. */
@Timeout(300)
@ParameterizedClass
@EnumSource(CommitMode.class)
class RewindTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  private final PostgresServer server = DATABASE.server();
  private final CommitMode mode;
  private final TransactionalJdbcSink<Order> sink;
  private Prepared last;

  RewindTest(CommitMode mode) {
    this.mode = mode;
    this.sink = OrdersOnPostgres.sink(server.port()).mode(mode);
  }

  /** A job that has committed up to checkpoint 5: its last transaction holds records since 4. */
  @BeforeEach
  void runFirstJob() throws Exception {
    OrdersOnPostgres.create(server);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      for (int checkpoint = 0; checkpoint < 5; checkpoint++) {
        last = writer.prepare(checkpoint, Order.of(checkpoint));
        committer.commit(last);
      }
    }
  }

  @Test
  void R6_anOlderSavepointIsNoticedBeforeAnythingIsWritten() throws Exception {
    try (DrivenConnector<Order, Object, ?> restored = Sinks.writer(sink, 0)) {
      assertThat(restored.connector().committedSince(3)).contains(last.id());
    }
  }

  @Test
  void R6_aStartWithoutStateIsNoticedBeforeAnythingIsWritten() throws Exception {
    try (DrivenConnector<Order, Object, ?> restarted = Sinks.writer(sink, 0)) {
      assertThat(restarted.connector().committedSince(0)).contains(last.id());
    }
  }

  @Test
  void R6_aCloneAfterTheJobGoesOn() throws Exception {
    try (DrivenConnector<Order, Object, ?> clone = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(clone.connector().committedSince(5)).isEmpty();
      assertThat(committer.commit(last)).isEqualTo(CommitOutcome.alreadyCommitted());
      assertThat(committer.commit(clone.prepare(5, Order.of(5))))
          .isEqualTo(CommitOutcome.committed());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(6);
  }

  @Test
  void R6_ofTwoClonesBesideEachOtherOnlyOneCommits() throws Exception {
    try (DrivenConnector<Order, Object, ?> one = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> two = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Prepared ofOne = one.prepare(5, Order.of(5));
      Prepared ofTwo = two.prepare(5, Order.of(5));
      if (mode == CommitMode.LEDGER) {
        assertThat(committer.commit(ofOne)).isEqualTo(CommitOutcome.committed());
        assertThat(committer.commit(ofTwo)).isInstanceOf(CommitOutcome.Superseded.class);
        committer.commit(one.prepare(6, Order.of(6)));
      } else {
        // The second takes the first for dead, and rolls back what it has prepared.
        assertThat(committer.commit(ofOne)).isInstanceOf(CommitOutcome.Lost.class);
        assertThat(committer.commit(ofTwo)).isEqualTo(CommitOutcome.committed());
        assertThatThrownBy(() -> one.prepare(6, Order.of(6)))
            .hasMessageContaining("cannot be prepared")
            .hasMessageContaining("If a second job runs under the sink name 'orders'");
        committer.commit(two.prepare(6, Order.of(6)));
      }
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(7);
  }

  /** After a rewind that was accepted, numbers begin again below those of the ledger. */
  @Test
  void R6_anAcceptedRewindIsNotTakenForOneAgain() throws Exception {
    try (DrivenConnector<Order, Object, ?> accepted = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(committer.commit(accepted.prepare(0, Order.of(100))))
          .isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(accepted.prepare(1, Order.of(101))))
          .isEqualTo(CommitOutcome.committed());
    }
    try (DrivenConnector<Order, Object, ?> next = Sinks.writer(sink, 0)) {
      assertThat(next.connector().committedSince(2)).isEmpty();
    }
  }

  /** Whether its transactions are all committed, or one is still prepared. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void R6_aCheckpointOfAnAbandonedLineIsNoticedWhateverItsNumber(boolean pending) throws Exception {
    try (DrivenConnector<Order, Object, ?> abandoned = Sinks.restored(sink, 0, 1);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(abandoned.connector().committedSince(5)).isEmpty();
      Prepared left = pending ? abandoned.prepare(5, Order.of(5)) : last;
      try (DrivenConnector<Order, Object, ?> accepted = Sinks.restored(sink, 0, 1)) {
        assertThat(accepted.connector().committedSince(1)).isPresent();
        assertThat(accepted.connector().line()).hasValue(2);
        committer.commit(accepted.prepare(1, Order.of(100)));
        committer.commit(accepted.prepare(2, Order.of(101)));
      }
      assertThat(committer.commit(left)).isNotEqualTo(CommitOutcome.committed());
    }
    long checkpoint = pending ? 6 : 5;
    try (DrivenConnector<Order, Object, ?> back = Sinks.restored(sink, 0, 1);
        DrivenConnector<Order, Object, ?> onwards = Sinks.restored(sink, 0, 2);
        DrivenConnector<Order, Object, ?> unknown = Sinks.writer(sink, 0)) {
      assertThat(back.connector().committedSince(checkpoint)).isPresent();
      assertThat(back.connector().line()).hasValue(3);
      assertThat(onwards.connector().committedSince(3)).as("its own newest").isEmpty();
      assertThat(onwards.connector().line()).hasValue(2);
      assertThat(unknown.connector().committedSince(checkpoint)).isEmpty();
      assertThat(unknown.connector().line()).as("it may be of any line").isEmpty();
    }
  }

  /** In a chain, Flink has it committed before the writer can refuse the start. */
  @Test
  void R6_whatASubtaskThatIsIdleInTheNewLineHadPreparedInTheOldOneIsNotCommitted()
      throws Exception {
    Prepared left;
    try (DrivenConnector<Order, Object, ?> abandoned = Sinks.restored(sink, 1, 1)) {
      assertThat(abandoned.connector().committedSince(5)).isEmpty();
      left = abandoned.prepare(5, Order.of(5));
    }
    try (DrivenConnector<Order, Object, ?> accepted = Sinks.restored(sink, 0, 1);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(accepted.connector().committedSince(1)).isPresent();
      committer.commit(accepted.prepare(1, Order.of(100)));
      committer.commit(accepted.prepare(2, Order.of(5 + 1)));
    }
    try (DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThat(committer.commit(left)).isInstanceOf(CommitOutcome.Superseded.class);
      }
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(7);
    Sql.execute(server, "UPDATE twophase_ledger SET since=1 WHERE nonce='line'");
    try (DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(committer.commit(left)).as("as the message says").isEqualTo(committed());
    }
  }

  /** It cannot tell whether the others begin a line at this start. */
  @Test
  void R6_aSubtaskWithoutStateCommitsBesideALineThatBegins() throws Exception {
    acceptLine(2);
    try (DrivenConnector<Order, Object, ?> fresh =
            Sinks.open(sink, Opening.writer("orders").at(1, 2));
        DrivenConnector<Order, Object, ?> other = Sinks.restored(sink, 0, 1);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(other.connector().committedSince(9)).isPresent();
      assertThat(fresh.connector().committedSince(9)).isEmpty();
      assertThat(committer.commit(other.prepare(9, Order.of(7)))).isEqualTo(committed());
      assertThat(committer.commit(fresh.prepare(9, Order.of(8)))).isEqualTo(committed());
    }
  }

  private static CommitOutcome committed() {
    return CommitOutcome.committed();
  }

  private void acceptLine(long line) throws Exception {
    try (DrivenConnector<Order, Object, ?> accepted = Sinks.restored(sink, 0, line - 1);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(accepted.connector().committedSince(1)).isPresent();
      assertThat(accepted.connector().line()).hasValue(line);
      committer.commit(accepted.prepare(1, Order.of((int) (100 + line))));
    }
  }

  @Test
  void R6_eachAcceptedRewindIsALineOfItsOwn() throws Exception {
    for (int line = 2; line < 5; line++) {
      acceptLine(line);
    }
    try (DrivenConnector<Order, Object, ?> second = Sinks.restored(sink, 0, 2);
        DrivenConnector<Order, Object, ?> fourth = Sinks.restored(sink, 0, 4)) {
      assertThat(second.connector().committedSince(9)).isPresent();
      assertThat(fourth.connector().committedSince(9)).isEmpty();
    }
    assertThat(Sql.column(server, "SELECT since FROM twophase_ledger WHERE subtask < -1"))
        .as("it grows with the number of subtasks only")
        .containsExactly("4");
  }

  /** A subtask that is idle in the new line, or no longer there, keeps its row of the old one. */
  @Test
  void R6_whatTheAbandonedLineCommittedIsNotTakenForTheNewLines() throws Exception {
    try (DrivenConnector<Order, Object, ?> accepted = Sinks.restored(sink, 1, 1);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(accepted.connector().committedSince(1)).isPresent();
      committer.commit(accepted.prepare(1, Order.of(100)));
    }
    try (DrivenConnector<Order, Object, ?> next = Sinks.restored(sink, 0, 2)) {
      assertThat(next.connector().committedSince(2)).isEmpty();
      assertThat(next.connector().committedSince(1)).isPresent();
    }
  }

  @Test
  void R6_anAcceptedRewindThatCommittedNothingHasLeftNothingBehind() throws Exception {
    try (DrivenConnector<Order, Object, ?> accepted = Sinks.restored(sink, 0, 1)) {
      assertThat(accepted.connector().committedSince(1)).isPresent();
      Prepared never = accepted.prepare(1, Order.of(100));
      accepted.connector().abort(Unfinished.of(never.id()));
    }
    try (DrivenConnector<Order, Object, ?> back = Sinks.restored(sink, 0, 1)) {
      assertThat(back.connector().committedSince(5)).isEmpty();
      assertThat(back.connector().line()).hasValue(1);
    }
  }

  /** Each has counted other checkpoints without a record since they were started. */
  @Test
  void R6_ofTwoClonesThatWereIdleOnlyOneCommits() throws Exception {
    try (DrivenConnector<Order, Object, ?> one = Sinks.restored(sink, 0, 1);
        DrivenConnector<Order, Object, ?> two = Sinks.restored(sink, 0, 1);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(one.connector().committedSince(5)).isEmpty();
      assertThat(two.connector().committedSince(5)).isEmpty();
      committer.commit(one.prepare(17, Order.of(5)));
      if (mode == CommitMode.LEDGER) {
        assertThat(committer.commit(two.prepare(43, Order.of(5))))
            .isInstanceOf(CommitOutcome.Superseded.class);
      } else {
        assertThatThrownBy(() -> two.prepare(43, Order.of(5)))
            .hasMessageContaining("cannot be prepared");
      }
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(6);
  }

  @Test
  void ledgerAndStagingDoNotGrowWithTheNumberOfCheckpoints() throws Exception {
    int count = mode == CommitMode.LEDGER ? 10_000 : 1_000;
    TransactionalJdbcSink<Order> staging = SmallBlocks.of(1, sink);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(staging, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(staging)) {
      for (int checkpoint = 5; checkpoint < count + 5; checkpoint++) {
        committer.commit(writer.prepare(checkpoint, Order.of(checkpoint)));
      }
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(count + 5);
    assertThat(
            Sql.column(
                server, "SELECT since FROM twophase_ledger WHERE subtask = 0 ORDER BY since"))
        .containsExactly("4", String.valueOf(count + 4));
    assertThat(Sql.number(server, "SELECT count(*) FROM twophase_ledger_staging")).isZero();
    assertThat(Sql.number(server, "SELECT count(*) FROM pg_prepared_xacts")).isZero();
  }
}
