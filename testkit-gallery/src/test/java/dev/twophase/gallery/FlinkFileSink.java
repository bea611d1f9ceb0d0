package dev.twophase.gallery;

import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

/**
 * Flink's own {@code FileSink} on local files. Nothing of it is decorated but what Flink calls.
 *
 * @param directory where each namespace is a directory
 */
record FlinkFileSink(Path directory) implements SinkUnderTest<String> {

  @Override
  public Object sink(SinkSetup setup) {
    return FileSink.forRowFormat(
            new org.apache.flink.core.fs.Path(directory.resolve(setup.namespace()).toUri()),
            new SimpleStringEncoder<String>())
        .withBucketAssigner(new BasePathBucketAssigner<>())
        .withRollingPolicy(OnCheckpointRollingPolicy.build())
        .build();
  }

  @Override
  public String input(TestRecord record) {
    return record.asText();
  }

  @Override
  public List<TestRecord> readVisible(String namespace) throws IOException {
    Path place = directory.resolve(namespace);
    if (!Files.isDirectory(place)) {
      return List.of();
    }
    List<TestRecord> records = new ArrayList<>();
    try (Stream<Path> files = Files.list(place)) {
      for (Path file : files.filter(each -> !isHidden(each)).sorted().toList()) {
        for (String line : Files.readAllLines(file)) {
          records.add(TestRecord.fromText(line));
        }
      }
    }
    return records;
  }

  private static boolean isHidden(Path file) {
    return file.getFileName().toString().startsWith(".");
  }

  @Override
  public void cleanUp(String namespace) throws IOException {
    Path place = directory.resolve(namespace);
    if (!Files.isDirectory(place)) {
      return;
    }
    try (Stream<Path> files = Files.list(place)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(place);
  }
}
