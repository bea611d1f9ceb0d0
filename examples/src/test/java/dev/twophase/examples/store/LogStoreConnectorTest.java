package dev.twophase.examples.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Opening;
import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogStoreConnectorTest {

  @TempDir private Path directory;

  private DrivenConnector<String, ?, ?> open(Opening opening) throws Exception {
    return DrivenConnector.open(new LogStoreConnector(directory.toString()), opening);
  }

  // tag::driven[]
  @Test
  void W2_whatIsPreparedIsCommittedElsewhereByItsHandleAlone() throws Exception {
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> crashed = open(Opening.writer("orders"))) {
      prepared = crashed.prepare(0, "a", "b");
    }
    try (DrivenConnector<String, ?, ?> successor = open(Opening.committer("orders"))) {
      assertThat(successor.commit(prepared)).isEqualTo(CommitOutcome.committed());
      assertThat(successor.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(visible()).containsExactly("a", "b");
  }

  // end::driven[]

  @Test
  void R2_aSuccessorListsAndAbortsWhatWasLeftOpen() throws Exception {
    try (DrivenConnector<String, ?, ?> crashed = open(Opening.writer("orders").at(1, 2));
        DrivenConnector<String, ?, ?> successor = open(Opening.committer("orders"))) {
      Prepared left = crashed.prepare(3, "a");

      assertThat(successor.unfinished()).extracting(each -> each.id()).containsExactly(left.id());

      successor.connector().abort(successor.unfinished().get(0));
      assertThat(successor.unfinished()).isEmpty();
      assertThat(successor.commit(left)).isInstanceOf(CommitOutcome.Lost.class);
    }
    assertThat(visible()).isEmpty();
  }

  private Iterable<String> visible() throws IOException {
    return LogStore.open(directory).records();
  }
}
