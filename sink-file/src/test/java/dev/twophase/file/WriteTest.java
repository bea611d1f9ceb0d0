package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.file.internal.bucket.BucketNames;
import dev.twophase.testkit.connector.DrivenConnector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.DateTimeBucketAssigner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From the record to the prepared transaction. */
class WriteTest {

  @TempDir Path directory;

  @Test
  void W5_anEmptyTransactionYieldsNoHandleAndLeavesNothing() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = open(sink())) {
      assertThat(prepare(writer, 1)).isZero();
      assertThat(Sinks.hidden(directory)).isEmpty();
    }
  }

  @Test
  void W5_recordsWithoutBytesLeaveNothing() throws Exception {
    TransactionalFileSink<String> silent =
        TransactionalFileSink.<String>forRows(directory, (record, stream) -> {}).name("orders");
    try (DrivenConnector<String, ?, ?> writer = open(silent)) {
      assertThat(prepare(writer, 1, "1", "2")).isZero();
      assertThat(Sinks.hidden(directory)).isEmpty();
    }
  }

  @Test
  void W3_aTransactionWithAFailedWriteCannotBePrepared() throws Exception {
    TransactionalFileSink<String> failing =
        TransactionalFileSink.<String>forRows(
                directory,
                (record, stream) -> {
                  stream.write(1);
                  if (record.equals("bad")) {
                    throw new IOException("cannot encode");
                  }
                })
            .name("orders");
    try (DrivenConnector<String, ?, ?> writer = open(failing)) {
      assertFailedWriteForbidsPreCommit(writer);
    }
  }

  private static <T> void assertFailedWriteForbidsPreCommit(DrivenConnector<String, T, ?> writer)
      throws Exception {
    T transaction = writer.begin(1, "good");
    assertThatThrownBy(() -> writer.write(transaction, "bad")).hasMessage("cannot encode");
    assertThatThrownBy(() -> writer.connector().preCommit(transaction))
        .hasMessageContaining("has a failed write and cannot be prepared");
  }

  @Test
  void E2_abortingTheOpenTransactionRemovesItsFilesAndIsHarmlessTwice() throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        open(sink().bucketAssigner(new Sinks.BeforeColon()).rollAtRecords(1))) {
      abortTwice(writer, "a:1", "a:2", "b:3");
    }
    assertThat(Sinks.hidden(directory)).isEmpty();
  }

  private static <T> void abortTwice(DrivenConnector<String, T, ?> writer, String... records)
      throws Exception {
    T transaction = writer.begin(1, records);
    writer.connector().abort(transaction);
    writer.connector().abort(transaction);
  }

  @Test
  void filesRollBySize() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = open(sink().rollAtBytes(8))) {
      writer.prepare(1, "123", "123", "123", "123", "123");
      assertThat(Sinks.hidden(directory)).hasSize(3);
      assertThat(sizes()).containsExactlyInAnyOrder(8L, 8L, 4L);
    }
  }

  @Test
  void filesRollByNumberOfRecordsPerBucket() throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        open(sink().rollAtRecords(2).bucketAssigner(new Sinks.BeforeColon()))) {
      commit(writer, "a:1", "b:1", "a:2", "b:2", "a:3");
    }
    assertThat(Sinks.visible(directory).stream().map(Path::getParent).map(Path::toString))
        .containsExactlyInAnyOrder("a", "a", "b");
    assertThat(Sinks.lines(directory)).containsExactly("a:1", "a:2", "a:3", "b:1", "b:2");
  }

  /** On HDFS each look is a call to the NameNode, and some more. */
  @Test
  void aBucketIsLookedAtOnceHoweverManyFilesOfATransactionRollThere() throws Exception {
    Queue<String> looks = new ConcurrentLinkedQueue<>();
    TransactionalFileSink<String> watched =
        Sinks.on(
            ScriptedStorage.following(
                ScriptedStorage.Script.after(
                    call -> {
                      if (call.startsWith("checkDirectory ")) {
                        looks.add(call);
                      }
                    })),
            sink().rollAtRecords(1).bucketAssigner(new Sinks.BeforeColon()));
    try (DrivenConnector<String, ?, ?> writer = open(watched)) {
      commit(writer, "a:1", "a:2", "b:1", "a:3", "b:2");
    }
    assertThat(looks).containsExactlyInAnyOrder("checkDirectory a", "checkDirectory b");
    assertThat(Sinks.lines(directory)).containsExactly("a:1", "a:2", "a:3", "b:1", "b:2");
  }

  @Test
  void filesRollByAgeOfTheirFirstRecord() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = open(sink().rollAtAge(Duration.ofSeconds(10)))) {
      rollByAge(writer);
      assertThat(sizes()).containsExactlyInAnyOrder(4L, 2L);
    }
  }

  private static <T> void rollByAge(DrivenConnector<String, T, ?> writer) throws Exception {
    writer.setProcessingTime(5_000);
    T transaction = writer.begin(1, "1");
    writer.setProcessingTime(14_999);
    writer.write(transaction, "2");
    writer.setProcessingTime(15_000);
    writer.write(transaction, "3");
    writer.preCommit(1, transaction);
  }

  @Test
  void bucketsGoByDateAndTimeWithFlinksAssigner() throws Exception {
    TransactionalFileSink<String> sink =
        sink().bucketAssigner(new DateTimeBucketAssigner<>("yyyy-MM-dd/HH", ZoneOffset.UTC));
    try (DrivenConnector<String, ?, ?> writer = open(sink)) {
      writer.setProcessingTime(Instant.parse("2026-01-31T23:59:59Z").toEpochMilli());
      commit(writer, "1");
    }
    assertThat(Sinks.visible(directory))
        .singleElement()
        .matches(file -> file.startsWith(Path.of("2026-01-31", "23")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        "../x",
        "a/../../x",
        "/etc",
        "a//b",
        "a/",
        ".",
        "a/./b",
        ".twophase",
        ".hidden/x",
        "a\\b",
        "a\0b",
        "a\nb",
        "a\tb",
        "a\u0085",
        "_manifests",
        "_manifests/orders",
        "_retired/x",
        "_x",
        "a/_x/b"
      })
  void aBucketThatWouldLeaveTheDirectoryOrHideItsFilesIsRefusedByName(String bucket)
      throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        open(sink().bucketAssigner(new Sinks.BeforeColon()))) {
      assertThatThrownBy(() -> writer.begin(1, bucket + ":1"))
          .isInstanceOf(BucketRefusedException.class)
          .satisfies(
              error -> assertThat(((BucketRefusedException) error).bucket()).isEqualTo(bucket))
          .hasMessageContaining("The bucket '" + BucketNames.printable(bucket) + "' of a record")
          .hasMessageContaining("Let the bucket assigner return");
    }
    assertThat(Sinks.hidden(directory)).isEmpty();
  }

  @Test
  void aRefusedRecordIsNamedByItsPlaceAndNotByItsContent() throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        open(sink().bucketAssigner(new Sinks.BeforeColon()).rollAtRecords(1))) {
      assertThatThrownBy(() -> writer.begin(5, "a:1", "a:2", "b:3", "../c:secret"))
          .hasMessageContaining("The bucket '../c' of a record is refused: it would leave")
          .hasMessageContaining(
              "It is record 4 of subtask 0 of sink 'orders' since checkpoint 5. A restart meets it")
          .hasMessageContaining("start the job from its latest checkpoint")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void aBucketNameTooLongForTheFileSystemIsRefusedBeforeItIsPrepared() throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        open(sink().bucketAssigner(new Sinks.BeforeColon()))) {
      assertThatThrownBy(() -> writer.begin(1, "ü".repeat(128) + ":1"))
          .hasMessageContaining("longer than 255 bytes");
    }
  }

  @Test
  void aBucketThatIsAFileIsRefusedBeforeItIsPrepared() throws Exception {
    Files.writeString(directory.resolve("a"), "not a directory");
    try (DrivenConnector<String, ?, ?> writer =
        open(sink().bucketAssigner(new Sinks.BeforeColon()))) {
      assertThatThrownBy(() -> writer.prepare(1, "a/b:1"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Cannot use the bucket " + directory.resolve("a/b"))
          .hasMessageContaining("move it away or choose another bucket");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"link", "link/b", "a/link/b"})
  void aBucketBehindASymbolicLinkOutOfTheDirectoryIsRefusedByName(
      String bucket, @TempDir Path elsewhere) throws Exception {
    Path link = directory.resolve(bucket.replaceFirst("/b$", ""));
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, elsewhere);
    try (DrivenConnector<String, ?, ?> writer =
        open(sink().bucketAssigner(new Sinks.BeforeColon()))) {
      assertThatThrownBy(() -> writer.prepare(1, bucket + ":1"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Cannot use the bucket " + directory.resolve(bucket))
          .hasMessageContaining("leads out of the sink's directory, to " + elsewhere.toRealPath())
          .hasMessageContaining("let the bucket assigner return another bucket");
    }
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void aBucketBehindASymbolicLinkIntoAHiddenDirectoryIsRefused() throws Exception {
    Files.createDirectory(directory.resolve(".hidden"));
    Files.createSymbolicLink(directory.resolve("link"), Path.of(".hidden"));
    try (DrivenConnector<String, ?, ?> writer =
        open(sink().bucketAssigner(new Sinks.BeforeColon()))) {
      assertThatThrownBy(() -> writer.prepare(1, "link:1"))
          .hasMessageContaining("leads into a hidden directory");
    }
  }

  @Test
  void symbolicLinksWithinTheDirectoryAndToItAreFollowed(@TempDir Path elsewhere) throws Exception {
    Path base = Files.createSymbolicLink(elsewhere.resolve("base"), directory);
    Files.createDirectory(directory.resolve("a"));
    Files.createSymbolicLink(directory.resolve("link"), Path.of("a"));
    TransactionalFileSink<String> sink =
        TransactionalFileSink.forLines(base).name("orders").bucketAssigner(new Sinks.BeforeColon());
    try (DrivenConnector<String, ?, ?> writer = open(sink)) {
      commit(writer, "link:1", "a:2");
    }
    assertThat(Sinks.lines(directory.resolve("a"))).containsExactly("a:2", "link:1");
  }

  @Test
  void aBucketThatIsNullIsRefusedSayingWhatToReturn() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = open(sink().bucketAssigner(new NoBucket()))) {
      assertThatThrownBy(() -> writer.begin(1, "1"))
          .isInstanceOf(BucketRefusedException.class)
          .hasMessageContaining("The bucket of a record is null. Let the bucket assigner return");
    }
  }

  private static final class NoBucket extends BasePathBucketAssigner<String> {
    @Override
    public String getBucketId(String record, Context context) {
      return null;
    }
  }

  @Test
  void E3_aPrefixThatHidesFilesFromReadersIsRefused() {
    assertThatThrownBy(() -> TransactionalFileSink.forLines(directory).prefix("_part"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("prefix is '_part'");
  }

  @Test
  void namesThatWouldBeTooLongForPublishedFilesAreRefusedWhereTheSinkIsBuilt() throws Exception {
    TransactionalFileSink<String> sink =
        TransactionalFileSink.forLines(directory)
            .name("n".repeat(100))
            .prefix("p".repeat(59))
            .suffix("." + "s".repeat(23));
    try (DrivenConnector<String, ?, ?> writer = open(sink)) {
      commit(writer, "the longest that is accepted");
    }
    assertThatThrownBy(() -> sink.suffix("." + "s".repeat(25)).buildSink())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("prefix, name and suffix are 'ppp")
        .hasMessageEndingWith("shorten them by 1");
  }

  @Test
  void aBucketPathTooLongForTheFileSystemIsRefusedBeforeItIsPrepared() throws Exception {
    String deep = "directory/".repeat(380) + "last";
    try (DrivenConnector<String, ?, ?> writer =
        open(sink().bucketAssigner(new Sinks.BeforeColon()))) {
      assertThatThrownBy(() -> writer.prepare(1, deep + ":1"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the path of a bucket has")
          .hasMessageContaining("Shorten the bucket");
    }
  }

  @Test
  void settingsThatMakeNoSenseAreRefusedWithValueAndRemedy() {
    assertThatThrownBy(() -> sink().suffix("\n"))
        .hasMessage("suffix is '\\u000a': use one without separators and control characters");
    assertThatThrownBy(() -> sink().rollAtAge(Duration.ZERO))
        .hasMessage("rollAtAge is PT0S: use PT0.001S to PT876000H");
    assertThatThrownBy(() -> sink().rollAtBytes(0))
        .hasMessage("rollAtBytes is 0: use a positive value");
    assertThatThrownBy(() -> TransactionalFileSink.forLines(directory).buildSink())
        .hasMessage("name is not set: give the sink one by name(\"...\")");
  }

  @Test
  void namesWithSpacesAndBeyondAsciiAreKept() throws Exception {
    Path spaced = directory.resolve("où ça");
    TransactionalFileSink<String> sink =
        TransactionalFileSink.forLines(spaced)
            .name("orders")
            .prefix("Größe 大")
            .suffix(" – é.txt")
            .bucketAssigner(new Sinks.BeforeColon());
    try (DrivenConnector<String, ?, ?> writer = open(sink)) {
      commit(writer, "land=Österreich/ort=Wien 1:ß");
    }
    assertThat(Sinks.visible(spaced)).hasSize(1);
    Path file = Sinks.visible(spaced).get(0);
    assertThat(file.toString())
        .startsWith("land=Österreich/ort=Wien 1/Größe 大.orders.0.1.")
        .endsWith(".0 – é.txt");
    assertThat(Sinks.lines(spaced)).containsExactly("land=Österreich/ort=Wien 1:ß");
  }

  @Test
  void linesAreEncodedAsStringsEncodeThemselves() throws Exception {
    Random random = new Random(7);
    StringBuilder expected = new StringBuilder();
    String[] records = new String[2_000];
    for (int i = 0; i < records.length; i++) {
      records[i] = text(random, random.nextInt(i % 100 == 0 ? 5_000 : 50));
      expected.append(records[i]).append('\n');
    }
    try (DrivenConnector<String, ?, ?> writer = open(sink())) {
      commit(writer, records);
      byte[] bytes = expected.toString().getBytes(StandardCharsets.UTF_8);
      assertThat(directory.resolve(Sinks.visible(directory).get(0))).hasBinaryContent(bytes);
      assertThat(writer.bytesSent()).isEqualTo(bytes.length);
    }
  }

  /** Text of all planes, with unpaired surrogates. */
  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      switch (random.nextInt(8)) {
        case 0 -> text.append((char) random.nextInt(0x800));
        case 1 -> text.append((char) random.nextInt(0x10000));
        case 2 -> text.appendCodePoint(0x10000 + random.nextInt(0x100000));
        default -> text.append((char) (' ' + random.nextInt(90)));
      }
    }
    return text.toString().replace('\n', ' ');
  }

  @Test
  void encodersOfFlinkMayWriteRecordsLargerThanAnyBufferAndFlush() throws Exception {
    String large = "x".repeat(1_000_000);
    TransactionalFileSink<String> sink =
        TransactionalFileSink.<String>forRows(
                directory,
                (record, stream) -> {
                  new SimpleStringEncoder<String>().encode(record, stream);
                  stream.flush();
                })
            .name("orders");
    try (DrivenConnector<String, ?, ?> writer = open(sink)) {
      commit(writer, "small", large, "small");
    }
    assertThat(Sinks.lines(directory)).isEqualTo(List.of("small", "small", large));
  }

  @Test
  void anEncoderThatClosesTheStreamIsToldNotTo() throws Exception {
    TransactionalFileSink<String> sink =
        TransactionalFileSink.<String>forRows(directory, (record, stream) -> stream.close())
            .name("orders");
    try (DrivenConnector<String, ?, ?> writer = open(sink)) {
      assertThatThrownBy(() -> writer.begin(1, "1"))
          .hasMessageContaining("An encoder must not close the stream");
    }
  }

  private TransactionalFileSink<String> sink() {
    return TransactionalFileSink.forLines(directory).name("orders");
  }

  private static DrivenConnector<String, ?, ?> open(TransactionalFileSink<String> sink)
      throws Exception {
    return Sinks.writer(sink.buildConnector(), "orders");
  }

  /** Number of handles. */
  private static <T> long prepare(
      DrivenConnector<String, T, ?> writer, long since, String... records) throws Exception {
    return writer.preCommit(since, writer.begin(since, records)).stream().count();
  }

  private static void commit(DrivenConnector<String, ?, ?> writer, String... records)
      throws Exception {
    writer.commit(writer.prepare(1, records));
  }

  private List<Long> sizes() {
    return Sinks.hidden(directory).stream()
        .map(file -> directory.resolve(file).toFile().length())
        .toList();
  }
}
