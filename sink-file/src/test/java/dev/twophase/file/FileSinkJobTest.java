package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.file.manifest.CommittedFile;
import dev.twophase.file.manifest.ManifestReader;
import dev.twophase.flink.TransactionalSinkFunction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeinfo.Types;
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
  void V1_manifestsOfABoundedJobListAllItsFiles() throws Exception {
    stream().sinkTo(sink().manifests().buildSink()).uid("orders-sink");

    environment.execute();

    ManifestReader reader = ManifestReader.of(directory, "orders");
    List<String> lines = new ArrayList<>();
    for (CommittedFile file : reader.readAll()) {
      reader.verify(file);
      lines.addAll(Files.readAllLines(directory.resolve(file.path())));
    }
    assertThat(lines.stream().sorted().toList()).isEqualTo(EXPECTED);
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
    return TransactionalFileSink.forLines(directory)
        .name("orders")
        .bucketAssigner(new Sinks.BeforeColon());
  }
}
