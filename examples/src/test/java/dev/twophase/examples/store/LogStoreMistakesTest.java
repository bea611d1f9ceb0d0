package dev.twophase.examples.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.examples.store.LogStore.Staging;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mistakes that the guide suggests to try, and the verdicts it promises. */
class LogStoreMistakesTest {

  private static final String CHECKPOINT = "2pk/1 p=1; s0.in 2; s0.bar 1; done 1; s0.ntf 1; settle";
  private static final String CRASH = "2pk/1 p=1; s0.in 2; s*.kill; up none; settle";

  @TempDir private Path directory;

  private Verdict verdict(String schedule, Function<String, LogStoreConnector> connector) {
    LogStoreContractTest contract =
        new LogStoreContractTest() {
          @Override
          public Object sink(SinkSetup setup) {
            return connector.apply(directory.resolve(setup.namespace()).toString());
          }
        };
    contract.directory = directory;
    return SinkKit.of(contract).replay(schedule).verdict();
  }

  @Test
  void withoutAMistakeBothSchedulesPass() {
    assertThat(verdict(CHECKPOINT, LogStoreConnector::new)).isEqualTo(Verdict.PASS);
    assertThat(verdict(CRASH, LogStoreConnector::new)).isEqualTo(Verdict.PASS);
  }

  @Test
  void C1_committingInPreCommitIsEarly() {
    assertThat(verdict(CHECKPOINT, CommitsInPreCommit::new)).isEqualTo(Verdict.EARLY);
  }

  @Test
  void R2_listingNothingLeaks() {
    assertThat(verdict(CRASH, ListsNothing::new)).isEqualTo(Verdict.LEAK);
  }

  private static final class CommitsInPreCommit extends LogStoreConnector {
    CommitsInPreCommit(String directory) {
      super(directory);
    }

    @Override
    public Optional<String> preCommit(Staging open) throws IOException {
      String handle = super.preCommit(open).orElseThrow();
      commit(TransactionId.parse(handle).orElseThrow(), handle);
      return Optional.of(handle);
    }
  }

  private static final class ListsNothing extends LogStoreConnector {
    ListsNothing(String directory) {
      super(directory);
    }

    @Override
    public Iterable<Unfinished> unfinished() {
      return List.of();
    }
  }
}
