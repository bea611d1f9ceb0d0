package dev.twophase.testkit.kafka.internal;

import java.util.Map;

/**
 * Where one node listens.
 *
 * @param controller for the quorum
 * @param broker for the other brokers, who must not depend on what is done to clients
 * @param door in front of that one, see {@link Door}
 * @param listeners for clients, by listener name
 */
record NodePorts(int node, int controller, int broker, int door, Map<String, Integer> listeners) {

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
