package dev.twophase.examples.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.kafka.KafkaCluster;
import dev.twophase.testkit.kafka.KafkaExtension;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class SocketToKafkaTest {

  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final int PARTITIONS = 2;

  @TempDir private Path directory;

  @Test
  void everyLineOfTheSocketIsCommittedOnce() throws Exception {
    KafkaCluster cluster = KAFKA.cluster();
    Topics topics = new Topics(cluster.bootstrapServers(), Optional.empty(), "socket");
    cluster.createTopic(topics.output(), PARTITIONS);
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      CompletableFuture<Void> served = CompletableFuture.runAsync(() -> serve(listener));
      SocketToKafka.run(
          "127.0.0.1", listener.getLocalPort(), cluster.bootstrapServers(), topics.output());
      served.join();
    }
    List<String> arguments = new ArrayList<>(topics.toArguments());
    arguments.add(directory.toString());
    TopicCopy.main(arguments.toArray(String[]::new));
    List<String> lines = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      lines.addAll(Files.readAllLines(directory.resolve("partition-" + partition + ".txt")));
    }
    assertThat(lines).containsExactlyInAnyOrder("one", "two", "three");
  }

  private static void serve(ServerSocket listener) {
    try (Socket socket = listener.accept();
        PrintWriter out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
      List.of("one", "two", "three").forEach(out::println);
    } catch (IOException error) {
      throw new CompletionException(error);
    }
  }
}
