package dev.twophase.kafka;

import java.io.Serializable;
import org.apache.kafka.common.header.Header;

/**
 * Makes the headers of a record.
 *
 * @param <IN> type of the job's records
 */
@FunctionalInterface
public interface KafkaHeaderProvider<IN> extends Serializable {

  /** Headers in their order; may be empty. */
  Iterable<Header> headers(IN record);
}
