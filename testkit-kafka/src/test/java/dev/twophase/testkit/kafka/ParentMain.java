package dev.twophase.testkit.kafka;

/** Starts a broker, freezes it if told to, says its process id, and dies without any farewell. */
final class ParentMain {

  private ParentMain() {}

  public static void main(String[] args) {
    KafkaCluster cluster = KafkaCluster.builder().start();
    if (args[0].equals("frozen")) {
      cluster.broker(1).freeze();
    }
    System.out.println(cluster.broker(1).pid());
    System.out.flush();
    Runtime.getRuntime().halt(137);
  }
}
