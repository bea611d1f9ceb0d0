package dev.twophase.file.hdfs;

import dev.twophase.PreparedTransaction;
import dev.twophase.file.Sinks.Instance;
import dev.twophase.file.Sinks.Prepared;
import dev.twophase.internal.engine.CommitEngine;
import dev.twophase.internal.engine.CommitEngine.Settlement;
import dev.twophase.internal.engine.EngineClock;
import dev.twophase.internal.engine.ProtocolListener;
import dev.twophase.policy.SinkOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Commits as in a job: the engine repeats what is unknown. */
final class Patience {

  private Patience() {}

  static <H> Settlement commit(Instance<?, H> committer, Prepared prepared) throws Exception {
    List<Settlement> settled = new ArrayList<>();
    H handle =
        committer.connector.handleSerializer().deserialize(prepared.version(), prepared.bytes());
    new CommitEngine<>(
            committer.connector,
            SinkOptions.defaults().withCommitTimeout(Duration.ofSeconds(100)),
            EngineClock.system(),
            () -> 0.5,
            ProtocolListener.NONE)
        .commit(
            List.of(
                new PreparedTransaction<>(
                    prepared.id(), 1, 0, 0, 1, Optional.of(handle), List.of())),
            (transaction, settlement) -> settled.add(settlement));
    return settled.get(0);
  }
}
