package dev.twophase.jdbc.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a writer waits that is far ahead of the database. */
@Timeout(60)
class BacklogTest {

  private static final UUID NONCE = UUID.randomUUID();

  /** What the ledger answers, look by look; the last answer stays. */
  private final Deque<Callable<OptionalLong>> answers = new ArrayDeque<>();

  private Backlog backlog(Duration patience, long... since) {
    Backlog backlog =
        new Backlog(
            () -> answers.size() > 1 ? answers.remove().call() : answers.element().call(),
            patience);
    for (long each : since) {
      backlog.add(new TransactionId("orders", 0, each, NONCE));
    }
    return backlog;
  }

  private static Callable<OptionalLong> committed(long since) {
    return () -> OptionalLong.of(since);
  }

  private static final Callable<OptionalLong> NOTHING = OptionalLong::empty;
  private static final Callable<OptionalLong> AWAY =
      () -> {
        throw new SQLException("away");
      };

  @Test
  void waitsUntilAllIsCommittedThoughTheDatabaseIsAwayForATime() throws Exception {
    Backlog backlog = backlog(Duration.ofSeconds(50), 3, 4);
    answers.addAll(List.of(NOTHING, AWAY, committed(3), AWAY, committed(4), NOTHING));

    assertThat(backlog.awaitCommits()).isTrue();
    assertThat(backlog.awaitCommits()).as("nothing to wait for").isTrue();

    assertThat(answers).hasSize(1);
  }

  /** The checkpoint may have failed: then the next one commits it, and that needs the writer. */
  @Test
  void C5_waitsNoLongerThanItsPatience() throws Exception {
    Backlog backlog = backlog(Duration.ofMillis(20), 3);
    answers.add(NOTHING);

    assertThat(backlog.awaitCommits()).isFalse();

    answers.add(committed(3));
    assertThat(backlog.awaitCommits()).isTrue();
  }
}
