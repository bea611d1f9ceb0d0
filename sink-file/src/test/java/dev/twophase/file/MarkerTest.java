package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.flink.TransactionalSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.SimpleVersionedStringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Markers of complete buckets: after the data of all subtasks, never before. */
class MarkerTest {

  @TempDir Path root;

  @Test
  void V1_aBucketGetsItsMarkerWhenTheLastSubtaskHasPassedItsEnd() throws Exception {
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      Prepared one = first.prepare(0, "10:a", "20:b");
      Prepared two = second.prepare(0, "10:c");
      committer.commit(one, 1);
      committer.commit(two, 1);
      assertThat(markers()).isEmpty();

      first.connector().watermark(25);
      committer.commit(first.prepare(1, "30:d"), 2);
      second.connector().watermark(12);
      Prepared last = second.prepare(1, "20:e");
      assertThat(markers()).isEmpty();
      committer.commit(last, 2);
      assertThat(markers()).containsExactly("10");

      committer.commit(first.prepare(2), 3);
      second.connector().watermark(25);
      committer.commit(second.prepare(2), 3);
      assertThat(markers()).containsExactly("10", "20");
    }
    assertThat(Sinks.lines(root)).contains("10:a", "10:c", "20:b", "20:e", "30:d");
  }

  @Test
  void V1_aSubtaskThatHasNotCommittedHoldsTheMarkerBack() throws Exception {
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      Prepared slow = second.prepare(0, "10:late to commit");
      second.connector().watermark(99);
      first.connector().watermark(99);
      committer.commit(first.prepare(0, "100:a"), 1);
      committer.commit(first.prepare(1), 2);
      assertThat(markers()).isEmpty();

      committer.commit(slow, 2);
      committer.commit(second.prepare(1), 3);
      committer.commit(first.prepare(2), 3);
      assertThat(markers()).containsExactly("10");
    }
  }

  @Test
  void E1_theEndOfABoundedStreamCompletesEveryBucket() throws Exception {
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      committer.commit(prepareLast(first, 0, "10:a"), 1);
      committer.commit(second.prepare(0, "20:b"), 1);
      assertThat(markers()).isEmpty();

      committer.commit(prepareLast(second, 1), 2);
      assertThat(markers()).containsExactly("10", "20");
    }
  }

  @Test
  void R1_anAttemptMarksWhatItsPredecessorLeftOpenAndBelievesNothingOfItsProgress()
      throws Exception {
    Prepared restored;
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      first.connector().watermark(15);
      committer.commit(first.prepare(0, "20:x"), 1);
      restored = second.prepare(0, "10:a");
    }
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      committer.commit(restored, 1);
      second.connector().watermark(15);
      committer.commit(second.prepare(1), 2);
      assertThat(markers()).as("the first subtask has told nothing in this attempt").isEmpty();

      first.connector().watermark(15);
      committer.commit(first.prepare(1), 2);
      assertThat(markers()).containsExactly("10");
    }
  }

  @Test
  void R3_afterRescalingOnlyTheNewSubtasksCount() throws Exception {
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1)) {
      first.connector().watermark(15);
      first.commit(first.prepare(0, "20:x"), 1);
      second.commit(second.prepare(0, "10:a"), 1);
    }
    try (DrivenConnector<String, ?, ?> only = Sinks.writer(sink(), "orders", 0, 1)) {
      only.commit(only.prepare(1, "10:b"), 2);
      assertThat(markers()).isEmpty();
      only.connector().watermark(15);
      only.commit(only.prepare(2), 3);
      assertThat(markers()).containsExactly("10");
    }
  }

  @Test
  void C2_aCommitCutOffAnywhereNeverMarksBeforeTheDataAndIsFinishedByTheNext() throws Exception {
    boolean cutOff = true;
    int call = 0;
    for (; cutOff; call++) {
      Path directory = Files.createDirectory(root.resolve("call-" + call));
      Prepared prepared;
      try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(directory), "orders", 0);
          DrivenConnector<String, ?, ?> second = Sinks.writer(sink(directory), "orders", 1)) {
        prepared = prepareLast(first, 0, "10:a", "20:b");
        second.commit(prepareLast(second, 0), 1);
      }
      int last = call;
      List<String> calls = new ArrayList<>();
      ScriptedStorage.Script script =
          found -> {
            if (calls.size() > last) {
              throw new IOException("cut off");
            }
            calls.add(found);
            if (found.contains("_SUCCESS") && found.startsWith("create")) {
              assertThat(Sinks.lines(directory)).contains("10:a", "20:b");
            }
          };
      cutOff =
          !commits(
              builder(directory, (bucket, watermark) -> watermark >= Long.parseLong(bucket))
                  .storageFactory(ScriptedStorage.following(script))
                  .buildConnector(),
              prepared);

      try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(directory), "orders")) {
        assertThat(committer.commit(prepared, 1))
            .isIn(CommitOutcome.committed(), CommitOutcome.alreadyCommitted());
      }
      assertThat(markers(directory)).containsExactly("10", "20");
      assertThat(Sinks.hidden(directory)).isEmpty();
    }
    assertThat(call).isGreaterThan(20);
  }

  @Test
  void V1_aLateRecordIsRefusedByItsOwnWatermarkAndByTheMarker() throws Exception {
    try (DrivenConnector<String, ?, ?> only = Sinks.writer(sink(), "orders")) {
      only.connector().watermark(15);
      assertThatThrownBy(() -> only.begin(0, "10:a"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("bucket '10' is late: the bucket is complete at the watermark 15")
          .hasMessageContaining("Take late records out");
    }
    Files.createDirectories(root.resolve("10"));
    Files.createFile(root.resolve("10/_SUCCESS"));
    try (DrivenConnector<String, ?, ?> restored = Sinks.writer(sink(), "orders")) {
      Object open = restored.begin(0, "10:a");
      assertThatThrownBy(() -> preCommit(restored, open))
          .hasMessageContaining("has its marker " + root.resolve("10/_SUCCESS"))
          .hasMessageNotContaining("Mend the file system");
    }
  }

  /**
   * What the former attempt has told, and its commits when they are repeated, would complete the
   * bucket; but the new attempt, whose watermarks begin anew, has taken a record for it.
   */
  @Test
  void V1_aRecordTakenRightAfterARestartHoldsTheMarkerBack() throws Exception {
    Prepared restored0;
    Prepared restored1;
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1)) {
      first.connector().watermark(15);
      restored0 = first.prepare(0, "20:x");
      second.connector().watermark(5);
      Object open = second.begin(0, "10:a");
      second.connector().watermark(15);
      restored1 = preCommit(second, open).orElseThrow();
    }
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      Prepared late = first.prepare(1, "10:late");
      committer.commit(restored0, 1);
      committer.commit(restored1, 1);
      assertThat(markers()).as("a record of the bucket is not visible").isEmpty();
      assertThatThrownBy(() -> second.prepare(1, "10:later"))
          .hasMessageContaining("is late: the bucket has been closed, to get its marker");

      first.connector().watermark(15);
      second.connector().watermark(15);
      committer.commit(late, 2);
      committer.commit(first.prepare(2), 3);
      committer.commit(second.prepare(2), 3);
      assertThat(markers()).containsExactly("10");
    }
    assertThat(Sinks.lines(root)).contains("10:late");
    assertThat(Sinks.hidden(root)).isEmpty();
  }

  @Test
  void V1_aRecordThatComesWhileTheMarkerIsMadeIsRefused() throws Exception {
    List<String> refusals = new ArrayList<>();
    try (DrivenConnector<String, ?, ?> late = Sinks.writer(sink(), "orders", 1)) {
      ScriptedStorage.Script script =
          call -> {
            if (call.startsWith("create 10/_SUCCESS")) {
              try {
                late.prepare(1, "10:late");
              } catch (Exception refused) {
                refusals.add(refused.getMessage());
              }
            }
          };
      TransactionalConnector<String, ?, ?> scripted =
          builder(root, (bucket, watermark) -> watermark >= Long.parseLong(bucket))
              .storageFactory(ScriptedStorage.following(script))
              .buildConnector();
      try (DrivenConnector<String, ?, ?> only = Sinks.writer(scripted, "orders", 0, 1)) {
        only.commit(prepareLast(only, 0, "10:a"), 1);
      }
    }
    assertThat(refusals).hasSize(1);
    assertThat(refusals.get(0)).contains("has been closed, to get its marker");
    assertThat(markers()).containsExactly("10");
  }

  @Test
  void R6_aCloneThatIsRefusedTakesNoProgressFromTheOriginal() throws Exception {
    try (DrivenConnector<String, ?, ?> ended = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> running = Sinks.writer(sink(), "orders", 1)) {
      ended.commit(prepareLast(ended, 0, "10:a"), 1);
      try (DrivenConnector<String, ?, ?> clone = Sinks.writer(sink(), "orders", 0)) {
        assertThat(clone.connector().committedSince(0)).as("refused").isPresent();
      }
      running.connector().watermark(15);
      running.commit(running.prepare(0), 2);
      assertThat(markers()).containsExactly("10");
    }
  }

  @Test
  void C7_aBucketThatTheMarkerDoesNotKnowHoldsNoCommitUp() throws Exception {
    try (DrivenConnector<String, ?, ?> former =
        Sinks.writer(configured(root, new Named("done")), "orders", 0, 1)) {
      former.commit(former.prepare(0, "by another name:a"), 1);
    }
    try (DrivenConnector<String, ?, ?> only = Sinks.writer(sink(), "orders", 0, 1)) {
      assertThat(only.commit(prepareLast(only, 1, "10:b"), 2)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(markers()).containsExactly("10");
    assertThat(Sinks.lines(root)).contains("by another name:a", "10:b");
  }

  @Test
  void aRecordOfABucketThatTheMarkerCannotReadIsRefusedNamingBoth() throws Exception {
    BucketMarker byDay = BucketMarker.byTime("yyyy-MM-dd", ZoneOffset.UTC, Duration.ofDays(1));
    try (DrivenConnector<String, ?, ?> only =
        Sinks.writer(configured(root, byDay), "orders", 0, 1)) {
      assertThatThrownBy(() -> only.begin(0, "day=2026-01-31:a"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot tell when the bucket 'day=2026-01-31' is complete")
          .hasMessageContaining("'day=2026-01-31' is no time by the pattern yyyy-MM-dd")
          .hasMessageContaining("give the bucket assigner and BucketMarker.byTime one pattern");
    }
  }

  @Test
  void theMarkerHasTheNameTheUserChose() throws Exception {
    TransactionalConnector<String, ?, ?> sink = configured(root, new Named("all.done"));
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink, "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink, "orders", 1)) {
      first.commit(prepareLast(first, 0, "a"), 1);
      second.commit(prepareLast(second, 0), 1);
    }
    assertThat(root.resolve("all.done")).isEmptyFile();
  }

  @Test
  void aBucketCannotBeCalledLikeTheMarker() throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(configured(root, new Named("done")), "orders")) {
      assertThatThrownBy(() -> writer.begin(0, "10/done:a"))
          .isInstanceOf(BucketRefusedException.class)
          .hasMessageContaining("bucket '10/done'")
          .hasMessageContaining("called like the marker");
    }
  }

  @Test
  void aBucketWhoseNameCannotBeNotedIsRefusedWithTheBound() throws Exception {
    TransactionalConnector<String, ?, ?> sink = configured(root, (bucket, watermark) -> false);
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders")) {
      assertThatThrownBy(() -> writer.begin(0, "9" + "\u6587".repeat(28) + ":a"))
          .isInstanceOf(BucketRefusedException.class)
          .hasMessageContaining("encoded for a URL it is longer than 248 bytes")
          .hasMessageContaining("Let the bucket assigner return");
    }
  }

  @Test
  void aMarkerCannotLeaveItsBucket() throws Exception {
    TransactionalConnector<String, ?, ?> sink = configured(root, new Named("../outside"));
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders")) {
      assertThatThrownBy(() -> writer.begin(0, "10:a"))
          .isInstanceOf(BucketRefusedException.class)
          .hasMessageContaining("is called '../outside'");
    }
  }

  @Test
  void bucketsByTimeAreCompleteWithTheirLastMillisecond() {
    BucketMarker hours = BucketMarker.byTime("yyyy-MM-dd--HH", ZoneOffset.UTC, Duration.ofHours(1));
    long end = Instant.parse("2026-01-31T15:00:00Z").toEpochMilli();
    assertThat(hours.isComplete("2026-01-31--14", end - 2)).isFalse();
    assertThat(hours.isComplete("2026-01-31--14", end - 1)).isTrue();

    BucketMarker days =
        BucketMarker.byTime("'day='yyyy-MM-dd", ZoneOffset.ofHours(2), Duration.ofDays(1));
    long midnight = Instant.parse("2026-01-31T22:00:00Z").toEpochMilli();
    assertThat(days.isComplete("day=2026-01-31", midnight - 2)).isFalse();
    assertThat(days.isComplete("day=2026-01-31", midnight - 1)).isTrue();
    assertThatThrownBy(() -> BucketMarker.byTime("b{", ZoneOffset.UTC, Duration.ofDays(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theGuidesExampleCanBeBuilt() {
    Path directory = root;
    TransactionalSink<String, ?, ?> sink =
        // tag::marker[]
        TransactionalFileSink.forLines(directory)
            .name("orders")
            .bucketAssigner(new DayOfEvent())
            .marker(BucketMarker.byTime("'day='yyyy-MM-dd", ZoneOffset.UTC, Duration.ofDays(1)))
            .buildSink();
    // end::marker[]
    assertThat(sink).isNotNull();
  }

  private static final class DayOfEvent implements BucketAssigner<String, String> {
    @Override
    public String getBucketId(String record, Context context) {
      return "day="
          + LocalDate.ofInstant(
              Instant.ofEpochMilli(Objects.requireNonNull(context.timestamp())), ZoneOffset.UTC);
    }

    @Override
    public SimpleVersionedStringSerializer getSerializer() {
      return SimpleVersionedStringSerializer.INSTANCE;
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> Optional<Prepared> preCommit(DrivenConnector<String, T, ?> writer, Object open)
      throws Exception {
    return writer.preCommit(0, (T) open);
  }

  /** The end comes after the last record and before what is left is prepared. */
  private static <T, H> Prepared prepareLast(
      DrivenConnector<String, T, H> writer, long since, String... records) throws Exception {
    T open = writer.begin(since, records);
    writer.connector().endOfInput();
    return writer.preCommit(since, open).orElseThrow();
  }

  private static boolean commits(TransactionalConnector<String, ?, ?> sink, Prepared prepared)
      throws Exception {
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink, "orders")) {
      committer.commit(prepared, 1);
      return true;
    } catch (IOException cutOff) {
      return false;
    }
  }

  private List<String> markers() {
    return markers(root);
  }

  private static List<String> markers(Path directory) {
    return Sinks.visible(directory).stream()
        .filter(file -> file.endsWith("_SUCCESS"))
        .map(file -> String.valueOf(file.getParent()))
        .toList();
  }

  private TransactionalConnector<String, ?, ?> sink() {
    return sink(root);
  }

  private static TransactionalConnector<String, ?, ?> sink(Path directory) {
    return configured(directory, (bucket, watermark) -> watermark >= Long.parseLong(bucket));
  }

  private static TransactionalConnector<String, ?, ?> configured(
      Path directory, BucketMarker marker) {
    return builder(directory, marker).buildConnector();
  }

  private static TransactionalFileSink<String> builder(Path directory, BucketMarker marker) {
    return TransactionalFileSink.forLines(directory)
        .name("orders")
        .ioThreads(1)
        .bucketAssigner(new Sinks.BeforeColon())
        .marker(marker);
  }

  private record Named(String name) implements BucketMarker {
    @Override
    public boolean isComplete(String bucket, long watermark) {
      return watermark == Long.MAX_VALUE;
    }

    @Override
    public String fileName(String bucket) {
      return name;
    }
  }
}
