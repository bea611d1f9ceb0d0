package dev.twophase.testkit.kafka;

/** How clients reach a {@link KafkaCluster}. */
public enum ListenerSecurity {
  /** Neither encryption nor identity; always there. */
  PLAINTEXT,
  /** SASL with mechanism PLAIN over an unencrypted connection. */
  SASL_PLAINTEXT,
  /** TLS with a certificate made for this cluster; clients are not asked for one. */
  SSL
}
