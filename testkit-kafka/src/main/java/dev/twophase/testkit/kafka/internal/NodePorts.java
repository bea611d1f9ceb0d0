package dev.twophase.testkit.kafka.internal;

import java.util.Map;

/**
 * Where one node listens.
 *
 * @param listeners by listener name
 */
record NodePorts(int node, int controller, Map<String, Integer> listeners) {

  int plain() {
    return listener(BrokerConfig.PLAIN);
  }

  int listener(String name) {
    Integer port = listeners.get(name);
    if (port == null) {
      throw new IllegalArgumentException(
          "This cluster has no " + name + " listener: ask for it in the builder with security()");
    }
    return port;
  }
}
