package dev.twophase.examples.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogStoreTest {

  @TempDir private Path directory;

  private LogStore store;

  @BeforeEach
  void openStore() throws IOException {
    store = LogStore.open(directory);
  }

  private void stage(String name, String... records) throws IOException {
    LogStore.Staging staging = store.begin(name);
    for (String record : records) {
      staging.add(record);
    }
    staging.seal();
  }

  @Test
  void W2_anotherInstanceCommitsByNameAlone() throws IOException {
    stage("t1", "a", "b");
    assertThat(LogStore.open(directory).commit("t1")).isTrue();
    assertThat(store.records()).containsExactly("a", "b");
    assertThat(store.staged()).isEmpty();
  }

  @Test
  void C2_twoCommitsAtOnceAreOne() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int i = 0; i < 50; i++) {
        String name = "t" + i;
        stage(name, name);
        List<Future<Boolean>> commits = new ArrayList<>();
        for (int j = 0; j < 2; j++) {
          commits.add(threads.submit(() -> LogStore.open(directory).commit(name)));
        }
        assertThat(commits.get(0).get() ^ commits.get(1).get()).isTrue();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(store.records()).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void A1_discardingWhatIsCommittedChangesNothing() throws IOException {
    stage("t1", "a");
    store.commit("t1");
    store.discard("t1");
    assertThat(store.records()).containsExactly("a");
    assertThat(store.commit("t1")).isFalse();
    assertThat(store.committed()).containsExactly("t1");
  }

  @Test
  void halfWrittenBlockIsInvisibleAndOverwrittenByTheNextCommit() throws IOException {
    stage("t1", "a");
    store.commit("t1");
    byte[] whole = Files.readAllBytes(directory.resolve("log"));
    for (int length = 1; length < whole.length; length++) {
      Files.write(directory.resolve("log"), whole);
      Files.write(
          directory.resolve("log"), Arrays.copyOf(whole, length), StandardOpenOption.APPEND);
      LogStore crashed = LogStore.open(directory);
      assertThat(crashed.records()).containsExactly("a");
      stage("u" + length, "b");
      assertThat(crashed.commit("u" + length)).isTrue();
      assertThat(LogStore.open(directory).records()).containsExactly("a", "b");
    }
  }
}
