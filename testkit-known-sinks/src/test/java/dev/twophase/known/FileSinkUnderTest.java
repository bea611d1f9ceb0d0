package dev.twophase.known;

import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.connector.file.sink.FileSink;

/** Flink's file sink, one line per record; a reader sees the files whose names have no dot. */
final class FileSinkUnderTest implements SinkUnderTest<String> {

  private final Path root;

  FileSinkUnderTest(Path root) {
    this.root = root;
  }

  @Override
  public Object sink(SinkSetup setup) {
    var directory = new org.apache.flink.core.fs.Path(root.resolve(setup.namespace()).toUri());
    return FileSink.<String>forRowFormat(
            setup.faults().aroundPath(directory), new SimpleStringEncoder<>())
        .build();
  }

  @Override
  public String input(TestRecord record) {
    return record.asText();
  }

  @Override
  public List<TestRecord> readVisible(String namespace) throws IOException {
    Path directory = root.resolve(namespace);
    if (!Files.exists(directory)) {
      return List.of();
    }
    List<TestRecord> records = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(FileSinkUnderTest::isVisible).toList()) {
        Files.readAllLines(file).stream().map(TestRecord::fromText).forEach(records::add);
      }
    }
    return records;
  }

  private static boolean isVisible(Path file) {
    return Files.isRegularFile(file) && !file.getFileName().toString().startsWith(".");
  }

  @Override
  public void cleanUp(String namespace) throws IOException {
    FileUtils.deleteDirectory(root.resolve(namespace).toFile());
  }
}
