package dev.twophase.testkit.kafka.internal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;

/**
 * The JVM of a broker: formats its directory, serves, says so in a file, and ends when it is told
 * to or when its parent's end of the pipe closes.
 */
public final class BrokerMain {

  static final String STOP = "stop";

  private BrokerMain() {}

  /**
   * The properties, the file that says it serves, the cluster's id, the port of the {@link Door}
   * and the one behind it, then {@code feature=level}.
   */
  public static void main(String[] args) throws Exception {
    Path properties = Path.of(args[0]);
    Path serving = Path.of(args[1]);
    Files.deleteIfExists(serving);
    Thread parent = new Thread(() -> obeyParent(), "parent");
    parent.setDaemon(true);
    parent.start();
    try {
      format(properties, args[2], Arrays.asList(args).subList(5, args.length));
      Door.open(Integer.parseInt(args[3]), Integer.parseInt(args[4]));
      serve(args[0], serving);
    } catch (Exception failure) {
      failure.printStackTrace();
      // Threads of a half-started broker would keep the process.
      Runtime.getRuntime().halt(1);
    }
  }

  private static void serve(String properties, Path serving) throws Exception {
    KafkaRaftServer server =
        new KafkaRaftServer(new KafkaConfig(Utils.loadProps(properties), false), Time.SYSTEM);
    // System.exit, also that of a fatal fault inside the broker, must not skip the shutdown.
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "shutdown"));
    server.startup();
    Files.writeString(serving, "serving\n");
    server.awaitShutdown();
  }

  private static void format(Path properties, String clusterId, List<String> features) {
    List<String> command =
        new ArrayList<>(
            List.of("format", "--ignore-formatted", "-t", clusterId, "-c", properties.toString()));
    for (String feature : features) {
      command.addAll(List.of("--feature", feature));
    }
    int code = StorageTool.execute(command.toArray(String[]::new), System.out);
    if (code != 0) {
      throw new IllegalStateException("Formatting ended with " + code + ": see the lines above");
    }
  }

  private static void obeyParent() {
    boolean told = false;
    try (BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      told = STOP.equals(orders.readLine());
    } catch (IOException gone) {
      System.err.println("Lost the parent: " + gone);
    }
    if (told) {
      System.exit(0);
    }
    Runtime.getRuntime().halt(1);
  }
}
