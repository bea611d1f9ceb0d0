package dev.twophase.file.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.file.BucketMarker;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.manifest.ManifestReader;
import dev.twophase.flink.TransactionalSinkFunction;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole jobs through both of Flink's sink APIs. */
class FileSinkJobTest {

  private static final long RECORDS = 20_000;
  private static final int BUCKETS = 7;
  private static final List<String> EXPECTED =
      LongStream.rangeClosed(1, RECORDS).mapToObj(FileSinkJobTest::record).sorted().toList();

  @TempDir Path directory;
  private final StreamExecutionEnvironment environment =
      StreamExecutionEnvironment.getExecutionEnvironment();

  @BeforeEach
  void configure() {
    environment.setParallelism(2);
    environment.enableCheckpointing(50);
  }

  @Test
  void E1_aBoundedJobPublishesAllItsRecordsThroughSinkV2() throws Exception {
    stream().sinkTo(sink().buildSink()).uid("orders-sink");

    environment.execute();

    assertPublished();
  }

  @Test
  void E1_aBoundedJobPublishesAllItsRecordsThroughTheFunction() throws Exception {
    TransactionalSinkFunction.addTo(stream(), "orders-sink", sink().buildFunction());

    environment.execute();

    assertPublished();
  }

  @Test
  void C1_aBatchRunThatIsRepeatedPublishesAgainUnderNewNames() throws Exception {
    environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
    for (int run = 0; run < 2; run++) {
      stream().sinkTo(sink().buildSink()).uid("orders-sink");
      environment.execute();
    }

    List<String> twice = EXPECTED.stream().flatMap(line -> Stream.of(line, line)).toList();
    assertThat(Sinks.lines(directory)).isEqualTo(twice);
  }

  @Test
  void V1_manifestsOfABoundedJobListAllItsFiles() throws Exception {
    stream().sinkTo(sink().manifests().buildSink()).uid("orders-sink");

    environment.execute();

    ManifestReader reader = ManifestReader.of(directory, "orders");
    assertThat(Sinks.lines(reader, reader.readAll()).stream().sorted().toList())
        .isEqualTo(EXPECTED);
  }

  @Test
  void C5_unalignedCheckpointsPublishEachRecordOnce() throws Exception {
    environment.getCheckpointConfig().enableUnalignedCheckpoints();
    stream().rebalance().sinkTo(sink().buildSink()).uid("orders-sink");

    environment.execute();

    assertPublished();
  }

  @Test
  void W6_twoJobsShareADirectoryUnderTwoNames() throws Exception {
    stream().sinkTo(sink().buildSink()).uid("orders-sink");
    JobClient one = environment.executeAsync();
    stream().sinkTo(sink().name("orders-eu").buildSink()).uid("orders-sink");
    JobClient other = environment.executeAsync();
    one.getJobExecutionResult().get();
    other.getJobExecutionResult().get();

    List<String> twice = EXPECTED.stream().flatMap(line -> Stream.of(line, line)).toList();
    assertThat(Sinks.lines(directory)).isEqualTo(twice);
    assertThat(Sinks.hidden(directory)).isEmpty();
  }

  @Test
  void V1_bucketsByEventTimeGetTheirMarkersThroughBothApis() throws Exception {
    BucketMarker marker = (bucket, watermark) -> watermark >= Long.parseLong(bucket) * 5_000;
    stream(watermarks())
        .sinkTo(sink(directory.resolve("v2")).marker(marker).buildSink())
        .uid("orders-sink");
    TransactionalSinkFunction.addTo(
        stream(watermarks()),
        "older-sink",
        sink(directory.resolve("older")).name("orders-older").marker(marker).buildFunction());

    environment.execute();

    for (String api : List.of("v2", "older")) {
      assertThat(
              Sinks.visible(directory.resolve(api)).stream()
                  .filter(file -> file.endsWith(BucketMarker.SUCCESS))
                  .map(file -> file.getName(0).toString()))
          .containsExactly("1", "2", "3", "4");
    }
  }

  /** Buckets of 5,000 records, whose numbers are their event times, too. */
  private static WatermarkStrategy<String> watermarks() {
    return WatermarkStrategy.<String>forMonotonousTimestamps()
        .withTimestampAssigner(
            (line, time) -> Long.parseLong(line.substring(line.indexOf(':') + 1)));
  }

  private DataStream<String> stream(WatermarkStrategy<String> watermarks) {
    return environment
        .fromSequence(1, RECORDS)
        .setParallelism(1)
        .map(number -> (number + 4_999) / 5_000 + ":" + number)
        .returns(Types.STRING)
        .setParallelism(1)
        .assignTimestampsAndWatermarks(watermarks)
        .setParallelism(1)
        .rebalance();
  }

  private void assertPublished() throws Exception {
    assertThat(Sinks.lines(directory)).isEqualTo(EXPECTED);
    assertThat(Sinks.hidden(directory)).isEmpty();
    assertThat(Sinks.visible(directory).stream().map(file -> file.getName(0).toString()).distinct())
        .hasSize(BUCKETS);
  }

  private DataStream<String> stream() {
    return environment.fromSequence(1, RECORDS).map(FileSinkJobTest::record).returns(Types.STRING);
  }

  private static String record(long number) {
    return number % BUCKETS + ":" + number;
  }

  private TransactionalFileSink<String> sink() {
    return sink(directory);
  }

  private static TransactionalFileSink<String> sink(Path directory) {
    return TransactionalFileSink.forLines(directory)
        .name("orders")
        .bucketAssigner(new Sinks.BeforeColon());
  }
}
