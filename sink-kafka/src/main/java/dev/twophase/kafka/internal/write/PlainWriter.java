package dev.twophase.kafka.internal.write;

import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.kafka.internal.commit.KafkaHandle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/**
 * Writes without transactions, for the weaker guarantees: records are visible when written, and
 * preparing means waiting until all of them are acknowledged.
 */
public final class PlainWriter<IN> implements Writer<IN> {

  private final RecordSender<IN> sender;
  private final Producer<byte[], byte[]> producer;
  private final String name;
  private final List<String> topics;
  private final BufferWatch watch;

  /**
   * @param topics those known beforehand
   */
  public PlainWriter(
      RecordSender<IN> sender,
      Producer<byte[], byte[]> producer,
      String name,
      List<String> topics,
      BufferWatch watch) {
    this.sender = sender;
    this.producer = producer;
    this.name = name;
    this.topics = topics;
    this.watch = watch;
    watch.watch(BufferWatch.Buffer.of(producer));
  }

  @Override
  public void warmUp(boolean barriers) {
    topics.forEach(producer::partitionsFor);
  }

  @Override
  public KafkaTransaction begin(TransactionId id) {
    return new KafkaTransaction(producer, null, null, id, name);
  }

  @Override
  public void write(KafkaTransaction transaction, IN record, WriteContext context) {
    sender.send(transaction, record, context);
  }

  @Override
  public Optional<KafkaHandle> preCommit(KafkaTransaction transaction) {
    try {
      watch.flush(producer);
    } catch (KafkaException error) {
      throw SendErrors.explain("Records of " + name + " could not be flushed", error);
    }
    transaction.failIfBroken();
    return Optional.empty();
  }

  @Override
  public void abort(KafkaTransaction transaction) {
    // What was sent cannot be taken back, and was not promised to be.
  }

  @Override
  public int producers() {
    return 1;
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
