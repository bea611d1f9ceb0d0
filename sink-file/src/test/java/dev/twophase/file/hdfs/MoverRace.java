package dev.twophase.file.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.file.Sinks;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Two committers that commit the same transaction at the same moment, again and again. */
final class MoverRace {

  private MoverRace() {}

  /** Each race has one that commits and one that finds it committed. */
  static void run(Supplier<TransactionalConnector<String, ?, ?>> sink, int races) throws Exception {
    ExecutorService movers = Executors.newFixedThreadPool(2);
    CyclicBarrier start = new CyclicBarrier(2);
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink.get(), "orders");
        DrivenConnector<String, ?, ?> one = Sinks.committer(sink.get(), "orders");
        DrivenConnector<String, ?, ?> other = Sinks.committer(sink.get(), "orders")) {
      for (int race = 0; race < races; race++) {
        Prepared prepared = writer.prepare(race, "race " + race);
        Future<CommitOutcome> first = movers.submit(() -> commitAt(start, one, prepared));
        Future<CommitOutcome> second = movers.submit(() -> commitAt(start, other, prepared));
        assertThat(List.of(first.get(), second.get()))
            .containsExactlyInAnyOrder(CommitOutcome.committed(), CommitOutcome.alreadyCommitted());
      }
    } finally {
      movers.shutdownNow();
    }
  }

  private static CommitOutcome commitAt(
      CyclicBarrier start, DrivenConnector<String, ?, ?> committer, Prepared prepared)
      throws Exception {
    start.await();
    return committer.commit(prepared);
  }
}
