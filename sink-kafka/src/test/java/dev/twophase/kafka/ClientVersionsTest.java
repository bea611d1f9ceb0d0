package dev.twophase.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same classes on every supported kafka-clients: each release is put in a class loader of its
 * own, in front of the one that this module is built with.
 */
class ClientVersionsTest {

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  private static final Path OTHERS = Path.of(System.getProperty("twophase.kafka.clients"));

  static Stream<Path> releases() throws Exception {
    try (Stream<Path> jars = Files.list(OTHERS)) {
      return jars
          .filter(jar -> jar.getFileName().toString().startsWith("kafka-clients-"))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("releases")
  void W2_recoveryCommitsAndAbortsWithoutProducers(Path release) throws Exception {
    String topic = SharedKafka.newTopic(3);
    String name = SharedKafka.uniqueName("clients");
    try (URLClassLoader isolated = withKafkaClients(release)) {
      Thread.currentThread().setContextClassLoader(isolated);
      Object said =
          isolated
              .loadClass(RecoveryProbe.class.getName())
              .getMethod("run", String.class, String.class, String.class)
              .invoke(null, SharedKafka.cluster().bootstrapServers(), topic, name);
      assertThat(said)
          .isEqualTo(
              "kafka-clients "
                  + version(release)
                  + ": 10 committed, 10 already committed, 1 lingering aborted, 0 left");
    } finally {
      Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
    }
    assertThat(SharedKafka.committed(topic)).hasSize(10).doesNotContain("lingering");
  }

  private static String version(Path release) {
    return release.getFileName().toString().replaceAll("kafka-clients-(.*)\\.jar", "$1");
  }

  private static URLClassLoader withKafkaClients(Path release) throws Exception {
    List<URL> urls = new ArrayList<>(List.of(release.toUri().toURL()));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!entry.contains("kafka-clients-")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }
}
