package dev.twophase.examples.kafka;

import dev.twophase.TransactionalConnector;
import dev.twophase.examples.lines.Pace;
import dev.twophase.kafka.TransactionalKafkaSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

/**
 * Counts lines per directory and window. Time is the position in the input, one line a millisecond.
 */
public final class CountJob {

  /** Length of a window. */
  public static final int LINES_PER_WINDOW = 10;

  private static final Duration WATERMARKS = Duration.ofMillis(50);

  private CountJob() {}

  /** The job without its sink. It has no end of its own: stop it with a savepoint and drain. */
  public static DataStream<String> counts(
      StreamExecutionEnvironment environment, Topics topics, Pace.Lookup pace) throws IOException {
    environment.getConfig().setAutoWatermarkInterval(WATERMARKS.toMillis());
    KafkaSource<String> source =
        KafkaSource.<String>builder()
            .setProperties(topics.security())
            .setBootstrapServers(topics.bootstrapServers())
            .setTopics(topics.input())
            .setGroupId(topics.prefix())
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setProperty("register.consumer.metrics", "false")
            .setValueOnlyDeserializer(new SimpleStringSchema(StandardCharsets.ISO_8859_1))
            .build();
    WatermarkStrategy<String> inOrder =
        WatermarkStrategy.<String>forMonotonousTimestamps()
            .withTimestampAssigner((record, kafkaTimestamp) -> position(record));
    return environment
        .fromSource(source, inOrder, "lines")
        .uid("lines")
        .setParallelism(1)
        .map(new PositionWatch(pace))
        .uid("position")
        .setParallelism(1)
        .keyBy(CountJob::directory)
        .window(TumblingEventTimeWindows.of(Duration.ofMillis(LINES_PER_WINDOW)))
        .process(new LineCount())
        .uid("count");
  }

  /**
   * Writes the counts.
   *
   * @param correct whether it is left as it is: one that is broken on purpose leaves no marks, by
   *     which it would itself notice that it writes records again, and end before a reader sees
   *     them
   */
  public static TransactionalConnector<String, ?, ?> sink(
      Topics topics, DeliveryGuarantee guarantee, boolean correct) throws IOException {
    return TransactionalKafkaSink.<String>builder()
        .setProperties(topics.security())
        .setBootstrapServers(topics.bootstrapServers())
        .setTransactionalIdPrefix(topics.prefix())
        .setTopic(topics.output())
        .setValueSerializer(new SimpleStringSchema(StandardCharsets.ISO_8859_1))
        // Not event time: here that is a position, which a broker takes for 1970 and so deletes.
        .setTimestamp(count -> System.currentTimeMillis())
        .setDeliveryGuarantee(guarantee)
        .setRewindDetection(correct)
        .buildConnector();
  }

  static long position(String record) {
    return Long.parseLong(record.substring(0, record.indexOf('\t')));
  }

  static String directory(String record) {
    int file = record.indexOf('\t') + 1;
    int end = record.indexOf('\t', file);
    int slash = record.indexOf('/', file);
    return slash < 0 || slash > end ? "." : record.substring(file, slash);
  }

  static String text(String record) {
    int file = record.indexOf('\t') + 1;
    int number = record.indexOf('\t', file) + 1;
    return record.substring(record.indexOf('\t', number) + 1);
  }
}
