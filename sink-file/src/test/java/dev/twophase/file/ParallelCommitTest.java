package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.testkit.connector.DrivenConnector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of one commit are published at once, by as many threads as were allowed. */
class ParallelCommitTest {

  private static final int THREADS = 4;
  private static final int FILES = 4 * THREADS;

  @TempDir Path root;

  @Test
  void C1_asManyFilesArePublishedAtOnceAsThereAreThreadsAndNoMore() throws Exception {
    Together together = new Together();
    TransactionalConnector<String, ?, ?> connector =
        Sinks.on(
                ScriptedStorage.following(together),
                TransactionalFileSink.forLines(root)
                    .name("orders")
                    .ioThreads(THREADS)
                    .bucketAssigner(new Sinks.BeforeColon()))
            .buildConnector();
    String[] records = IntStream.range(0, FILES).mapToObj(i -> i + ":" + i).toArray(String[]::new);
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(connector, "orders");
        DrivenConnector<String, ?, ?> committer = Sinks.committer(connector, "orders")) {
      assertThat(committer.commit(writer.prepare(1, records))).isEqualTo(CommitOutcome.committed());
    }
    assertThat(Sinks.visible(root)).hasSize(FILES);
    assertThat(together.most).hasValue(THREADS);
  }

  /** Lets no file be published before as many others are about to be. */
  private static final class Together implements ScriptedStorage.Script {

    private final CyclicBarrier all = new CyclicBarrier(THREADS);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @Override
    public void before(String call) throws IOException {
      if (publishesAFile(call)) {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        try {
          all.await(60, TimeUnit.SECONDS);
        } catch (Exception alone) {
          throw new IOException("Published alone", alone);
        }
      }
    }

    @Override
    public void after(String call) {
      if (publishesAFile(call)) {
        running.decrementAndGet();
      }
    }

    private static boolean publishesAFile(String call) {
      return call.startsWith("publish ") && call.contains("/part.");
    }
  }
}
