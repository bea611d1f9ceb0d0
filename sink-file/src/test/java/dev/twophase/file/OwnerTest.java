package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.TransactionalConnector;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.testkit.connector.DrivenConnector;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One sink name belongs to one running job. */
class OwnerTest {

  @TempDir Path root;

  @Test
  void R6_ofTwoJobsOfOneNameTheFormerStopsAtItsNextCheckpointAndStaysRefused() throws Exception {
    try (DrivenConnector<String, ?, ?> former =
            Sinks.writerOfJob("a1", sink("orders"), "orders", 0);
        DrivenConnector<String, ?, ?> later =
            Sinks.writerOfJob("b2", sink("orders"), "orders", 0)) {
      assertThat(former.prepare(0, "w")).isNotNull();
      assertThat(later.prepare(0, "y")).isNotNull();
      assertThatThrownBy(() -> former.prepare(1, "x"))
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining("name is 'orders', taken over from job a1 by job b2")
          .hasMessageContaining("give each its own by name(...)")
          .hasMessageContaining("remove its mark " + root + "/.twophase/orders.owner/2.b2");
      assertThat(later.prepare(1, "z")).isNotNull();
    }
    try (DrivenConnector<String, ?, ?> restarted =
        Sinks.writerOfJob("a1", sink("orders"), "orders", 0)) {
      assertThatThrownBy(() -> restarted.begin(1)).isInstanceOf(SetupRefusedException.class);
    }
  }

  @Test
  void R6_whoseMarkIsGoneIsToldSoAndMayStartAgain() throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writerOfJob("a1", sink("orders"), "orders", 0)) {
      assertThat(writer.prepare(0, "w")).isNotNull();
      Files.delete(root.resolve(".twophase/orders.owner/1.a1"));
      assertThatThrownBy(() -> writer.prepare(1, "x"))
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining("the mark by which job a1 owns it is gone")
          .hasMessageContaining("leave .twophase alone");
    }
    try (DrivenConnector<String, ?, ?> restarted =
        Sinks.writerOfJob("a1", sink("orders"), "orders", 0)) {
      assertThat(restarted.prepare(1, "x")).isNotNull();
    }
  }

  @Test
  void R6_subtasksOfAJobThatIsNumberedAnewGiveTheNewNumberAsTheirLine() throws Exception {
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(root).name("orders").manifests().buildConnector();
    try (DrivenConnector<String, ?, ?> stays = Sinks.writerOfJob("a1", sink, "orders", 1)) {
      assertThat(stays.prepare(0, "w")).isNotNull();
      try (DrivenConnector<String, ?, ?> mistaken = Sinks.writerOfJob("b2", sink, "orders", 0)) {
        assertThat(mistaken.prepare(0, "x")).isNotNull();
      }
      Files.delete(root.resolve(".twophase/orders.owner/2.b2"));
      try (DrivenConnector<String, ?, ?> fails = Sinks.writerOfJob("a1", sink, "orders", 0)) {
        assertThat(fails.prepare(0, "y")).isNotNull();
        assertThat(fails.connector().line()).hasValue(3);
      }
      assertThat(stays.connector().line()).hasValue(1);
      assertThat(stays.prepare(1, "z")).isNotNull();
      assertThat(stays.connector().line()).hasValue(3);
    }
  }

  @Test
  void R6_aCloneThatIsRefusedTakesNothingFromTheOriginal() throws Exception {
    try (DrivenConnector<String, ?, ?> original =
        Sinks.writerOfJob("a1", sink("orders"), "orders", 0)) {
      original.commit(original.prepare(0, "x"));
      try (DrivenConnector<String, ?, ?> clone =
          Sinks.writerOfJob("b2", sink("orders"), "orders", 0)) {
        assertThat(clone.connector().committedSince(0)).contains(original.id(0));
      }
      assertThat(original.prepare(1, "y")).isNotNull();
    }
  }

  @Test
  void R6_aRestartOfTheSameJobAndANewSubmissionAreNeverRefused() throws Exception {
    for (String job : new String[] {"a1", "a1", "b2", "b2", "c3"}) {
      try (DrivenConnector<String, ?, ?> first =
              Sinks.writerOfJob(job, sink("orders"), "orders", 0);
          DrivenConnector<String, ?, ?> second =
              Sinks.writerOfJob(job, sink("orders"), "orders", 1)) {
        assertThat(first.prepare(0, "x")).isNotNull();
        assertThat(second.prepare(0, "y")).isNotNull();
      }
    }
  }

  @Test
  void R6_jobsOfDifferentNamesLeaveEachOtherAlone() throws Exception {
    try (DrivenConnector<String, ?, ?> one = Sinks.writerOfJob("a1", sink("orders"), "orders", 0);
        DrivenConnector<String, ?, ?> other =
            Sinks.writerOfJob("b2", sink("orders-eu"), "orders-eu", 0)) {
      assertThat(one.prepare(0, "x")).isNotNull();
      assertThat(other.prepare(0, "y")).isNotNull();
    }
  }

  private TransactionalConnector<String, ?, ?> sink(String name) {
    return TransactionalFileSink.forLines(root).name(name).buildConnector();
  }
}
