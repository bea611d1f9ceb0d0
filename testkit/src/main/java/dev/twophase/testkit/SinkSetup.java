package dev.twophase.testkit;

import dev.twophase.policy.SinkOptions;
import java.io.Serializable;
import org.apache.flink.connector.base.DeliveryGuarantee;

/**
 * What a sink is made for: one run of one schedule.
 *
 * @param namespace place in the external system that belongs to this run alone: a directory, a
 *     topic, a table's name; letters, digits and {@code -}
 * @param sinkName the name to give to the sink; of this run alone where it runs against {@linkplain
 *     SinkUnderTest#realServers real servers}
 * @param guarantee what the sink must be configured for: what it claims
 */
public record SinkSetup(String namespace, String sinkName, DeliveryGuarantee guarantee)
    implements Serializable {

  private static final Faults FAULTS = new Faults();

  /** For decorating clients, so that schedules can inject faults into their calls. */
  public Faults faults() {
    return FAULTS;
  }

  /** Default options with the guarantee set. */
  public SinkOptions options() {
    return SinkOptions.defaults().withGuarantee(guarantee);
  }
}
