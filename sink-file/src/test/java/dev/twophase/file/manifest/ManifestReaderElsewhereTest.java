package dev.twophase.file.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.TransactionalConnector;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.hdfs.MiniHdfs;
import dev.twophase.testkit.connector.DrivenConnector;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reader where there is no Flink, and where there is HDFS. */
class ManifestReaderElsewhereTest {

  @TempDir Path root;

  @Test
  void V1_theReaderNeedsNeitherFlinkNorHadoopForLocalFiles() throws Exception {
    publish(root.toUri());
    URL[] classPath = {location(ManifestReader.class), location(TransactionalConnector.class)};
    try (URLClassLoader plain = new URLClassLoader(classPath, new OnlyCommons())) {
      Class<?> type = plain.loadClass(ManifestReader.class.getName());
      Object reader = type.getMethod("of", Path.class, String.class).invoke(null, root, "orders");
      List<?> files = (List<?>) type.getMethod("readAll").invoke(reader);

      assertThat(files).hasSize(2);
      Class<?> file = plain.loadClass(CommittedFile.class.getName());
      type.getMethod("verify", file).invoke(reader, files.get(0));
    }
  }

  @Tag("one-flink-line")
  @Test
  void V1_aReaderFollowsADirectoryOfHdfs() throws Exception {
    MiniHdfs hdfs = MiniHdfs.shared();
    URI directory = hdfs.directory("manifests");
    try (ManifestReader reader = ManifestReader.of(directory, "orders", Map.of())) {
      assertThat(reader.readNew()).isEmpty();

      publish(directory);
      assertThat(Sinks.lines(reader, reader.readNew())).containsExactlyInAnyOrder("a:1", "b:2");
      assertThat(reader.readNew()).isEmpty();

      CommittedFile file = reader.readAll().get(0);
      hdfs.write(directory, file.path(), "b:9\n");
      assertThatThrownBy(() -> reader.verify(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another content");
    }
  }

  private static void publish(URI directory) throws Exception {
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(directory)
            .name("orders")
            .hadoopOption("dfs.replication", "1")
            .manifests()
            .bucketAssigner(new Sinks.BeforeColon())
            .buildConnector();
    try (DrivenConnector<String, ?, ?> one = Sinks.writer(sink, "orders", 0);
        DrivenConnector<String, ?, ?> two = Sinks.writer(sink, "orders", 1);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink, "orders")) {
      committer.commit(one.prepare(0, "a:1", "b:2"), 1);
      committer.commit(two.prepare(0), 1);
    }
  }

  private static URL location(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  /** What a plain program has besides the two jars. */
  private static final class OnlyCommons extends ClassLoader {

    OnlyCommons() {
      super(ManifestReaderElsewhereTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (Stream.of("java.", "jdk.", "org.apache.commons.io.", "org.slf4j.", "org.jspecify.")
          .noneMatch(name::startsWith)) {
        throw new ClassNotFoundException(name + " is not there");
      }
      return super.loadClass(name, resolve);
    }
  }
}
