package dev.twophase.testkit.kafka;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A {@link KafkaCluster} for all tests of a class. What a test kills or freezes is brought back
 * before the next one; topics stay. For the thread of JUnit that runs the class.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final KafkaExtension KAFKA = new KafkaExtension(KafkaCluster.builder());
 * }</pre>
 */
public final class KafkaExtension
    implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

  private final KafkaCluster.Builder builder;
  private @Nullable KafkaCluster cluster;

  /** A cluster as this says, which is started before the tests. */
  public KafkaExtension(KafkaCluster.Builder builder) {
    this.builder = builder;
  }

  /** One node with every default. */
  public KafkaExtension() {
    this(KafkaCluster.builder());
  }

  /**
   * The running cluster.
   *
   * @throws IllegalStateException outside the tests of the class, or if the field is not static
   */
  public KafkaCluster cluster() {
    KafkaCluster running = cluster;
    if (running == null) {
      throw new IllegalStateException(
          "No cluster yet: the field with @RegisterExtension must be static");
    }
    return running;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    cluster = builder.start();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    cluster().restoreAll();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    KafkaCluster running = cluster;
    if (running != null) {
      running.close();
      cluster = null;
    }
  }
}
