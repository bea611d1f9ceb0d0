package dev.twophase.kafka.internal.write;

import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.client.KafkaSettings;
import dev.twophase.kafka.internal.commit.ExternalId;
import dev.twophase.kafka.internal.commit.KafkaHandle;
import dev.twophase.kafka.internal.commit.KafkaHandle.Facts;
import dev.twophase.kafka.internal.commit.KafkaHandle.Place;
import dev.twophase.kafka.internal.commit.Line;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Writes records into Kafka transactions. One subtask, one thread. */
public final class KafkaWriter<IN> implements Writer<IN> {

  private static final Duration ABORT_TIMEOUT = Duration.ofSeconds(2);

  private final KafkaSettings<IN> settings;
  private final RecordSender<IN> sender;
  private final Coordinators coordinators;
  private final ProducerPool pool;
  private final ExternalId first;
  private final BufferWatch watch;
  private final @Nullable MarkWriter marks;

  /** The last checkpoint that records before the open transaction may have been of. */
  private @Nullable Long previous;

  private boolean marksCompare = true;

  private OptionalLong line = OptionalLong.empty();

  public KafkaWriter(
      KafkaSettings<IN> settings,
      RecordSender<IN> sender,
      Coordinators coordinators,
      ExternalId first,
      BufferWatch watch) {
    this.settings = settings;
    this.sender = sender;
    this.coordinators = coordinators;
    this.first = first;
    this.watch = watch;
    this.marks = settings.rewindDetection() ? new MarkWriter(settings, coordinators, first) : null;
    this.pool = new ProducerPool(this::newProducer, coordinators);
  }

  private LiveProducer newProducer(int slot) throws InterruptedException {
    String id = new ExternalId(first.sinkName(), first.subtask(), first.nonce(), slot).toString();
    int protocol = coordinators.protocol();
    Producer<byte[], byte[]> producer =
        settings
            .clients()
            .producer(
                settings.properties().transactionalProducer(id, settings.transactionTimeout()));
    try {
      producer.initTransactions();
      // Its first record would wait for them.
      settings.topics().forEach(producer::partitionsFor);
    } catch (KafkaException error) {
      producer.close(Duration.ZERO);
      throw SendErrors.explain("Transactional id " + id + " could not be initialised", error);
    }
    return new LiveProducer(slot, id, producer, protocol);
  }

  @Override
  public void warmUp(boolean barriers) throws InterruptedException {
    // One goes on while the transaction of the other waits for its commit.
    pool.warmUp(barriers ? 2 : 1);
    if (marks != null) {
      marks.warmUp();
    }
  }

  @Override
  public void startsAfter(long checkpointId) {
    previous = checkpointId;
  }

  @Override
  public void inLine(Line known) {
    line = OptionalLong.of(known.number());
    if (marks != null) {
      marks.inLine(known);
    }
  }

  @Override
  public void ignoreMarks() {
    marksCompare = false;
  }

  @Override
  public KafkaTransaction begin(TransactionId id) throws InterruptedException {
    LiveProducer live = pool.begin();
    watch.watch(live.buffer());
    return new KafkaTransaction(live.producer(), live, marks, id, live.transactionalId());
  }

  @Override
  public void write(KafkaTransaction transaction, IN record, WriteContext context) {
    sender.send(transaction, record, context);
  }

  @Override
  public Optional<KafkaHandle> preCommit(KafkaTransaction transaction) throws InterruptedException {
    LiveProducer live = Objects.requireNonNull(transaction.live());
    if (transaction.isEmpty()) {
      live.endEmpty();
      return Optional.empty();
    }
    if (settings.markerTopic() != null) {
      transaction.sendMarker(marker(settings.markerTopic(), transaction));
    }
    pool.lookAhead();
    try {
      watch.flush(transaction.producer());
      Future<?> mark = transaction.mark();
      if (mark != null) {
        MarkWriter.await(mark);
      }
    } catch (InterruptException interrupted) {
      throw interrupted;
    } catch (KafkaException error) {
      // What a record met says more than the state that it has put the producer in.
      transaction.failIfBroken();
      throw SendErrors.explain(
          "Transaction " + transaction.name() + " could not be prepared", error);
    }
    transaction.failIfBroken();
    Facts facts = facts(transaction, live);
    live.prepared(facts);
    previous = transaction.id().since() + 1;
    return Optional.of(new KafkaHandle(facts, live));
  }

  private static ProducerRecord<byte[], byte[]> marker(String topic, KafkaTransaction transaction) {
    byte[] key = transaction.name().getBytes(StandardCharsets.UTF_8);
    byte[] value = transaction.id().toString().getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(topic, key, value);
  }

  /** Asks the coordinator what exactly is prepared: the only public way to learn the epoch. */
  private Facts facts(KafkaTransaction transaction, LiveProducer live) throws InterruptedException {
    TransactionDescription state =
        coordinators.describe(List.of(transaction.name())).get(transaction.name());
    if (state == null || state.state() != TransactionState.ONGOING) {
      throw new KafkaException(
          "Transaction "
              + transaction.name()
              + " cannot be prepared: its coordinator says "
              + (state == null ? "that it does not know it" : state.state())
              + ". It timed out, or somebody aborted it: setTransactionTimeout must cover"
              + " checkpoint interval plus checkpoint duration");
    }
    if (!state.topicPartitions().contains(transaction.firstPartition())) {
      throw new KafkaException(
          "Transaction "
              + transaction.name()
              + " cannot be prepared: it was aborted while it was open, so this attempt is"
              + " superseded. Make sure that one running job uses this transactionalIdPrefix");
    }
    Map<String, SortedSet<Integer>> partitions = new HashMap<>();
    for (TopicPartition partition : state.topicPartitions()) {
      if (!partition.topic().startsWith("__")) {
        partitions
            .computeIfAbsent(partition.topic(), topic -> new TreeSet<>())
            .add(partition.partition());
      }
    }
    short epoch = (short) state.producerEpoch();
    return new Facts(
        transaction.name(),
        state.producerId(),
        epoch,
        protocol(live, state.producerId(), epoch),
        new Place(
            marksCompare ? since(transaction.id()) : Place.UNCOMPARABLE,
            transaction.id().since(),
            line),
        Optional.ofNullable(transaction.witness()),
        partitions);
  }

  /** Earlier than its own number where the intervals before it had no records. */
  private long since(TransactionId id) {
    Long before = previous;
    return before == null ? id.since() : Math.min(before, id.since());
  }

  /** A reused producer whose epoch has not moved has seen the cluster go back to version 1. */
  private static int protocol(LiveProducer live, long producerId, short epoch) {
    @Nullable Facts last = live.prepared();
    boolean stuck = last != null && last.producerId() == producerId && last.epoch() == epoch;
    return stuck ? 1 : live.protocol();
  }

  /**
   * Through the coordinator, not the producer: that one would first write what it still holds, and
   * try for as long as it may.
   */
  @Override
  public void abort(KafkaTransaction transaction) {
    Future<?> mark = transaction.mark();
    if (mark != null) {
      mark.cancel(true);
    }
    Objects.requireNonNull(transaction.live()).close();
    try {
      coordinators.fence(transaction.name(), ABORT_TIMEOUT);
    } catch (InterruptedException cancelled) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int producers() {
    return pool.size();
  }

  @Override
  public void close() {
    if (marks != null) {
      marks.close();
    }
    pool.close();
  }
}
