package dev.twophase.file.hdfs;

import dev.twophase.internal.engine.CommitEngine;
import dev.twophase.internal.engine.CommitEngine.Settlement;
import dev.twophase.internal.engine.EngineClock;
import dev.twophase.internal.engine.ProtocolListener;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Commits as in a job: the engine repeats what is unknown. */
final class Patience {

  private Patience() {}

  static <H> Settlement commit(DrivenConnector<String, ?, H> committer, Prepared prepared)
      throws Exception {
    List<Settlement> settled = new ArrayList<>();
    new CommitEngine<>(
            committer.connector(),
            SinkOptions.defaults().withCommitTimeout(Duration.ofSeconds(100)),
            EngineClock.system(),
            () -> 0.5,
            ProtocolListener.NONE)
        .commit(
            List.of(committer.restored(prepared, 1, 0, 1)),
            (transaction, settlement) -> settled.add(settlement));
    return settled.get(0);
  }
}
