package dev.twophase.kafka.internal.commit;

import dev.twophase.HandleSerializers;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Names a prepared transaction so that any process can commit it and prove its outcome (W2). Only
 * the serialized part is the handle; the live producer is a short cut for a committer that happens
 * to be given the very object, and everything works without it.
 */
public final class KafkaHandle {

  private static final int VERSION = 2;

  private static final SimpleVersionedSerializer<KafkaHandle> SERIALIZER =
      HandleSerializers.versioned(VERSION, KafkaHandle::write, KafkaHandle::read);

  private final Facts facts;
  private final @Nullable LiveCommit live;

  /**
   * What is serialized.
   *
   * @param transactionalId by {@link ExternalId}
   * @param protocol transaction version under which it was begun, 1 or 2
   * @param place between which checkpoints
   * @param witness empty if no acknowledgement told an offset
   * @param partitions what it wrote to, by topic
   */
  public record Facts(
      String transactionalId,
      long producerId,
      short epoch,
      int protocol,
      Place place,
      Optional<Witness> witness,
      Map<String, SortedSet<Integer>> partitions) {

    public Facts {
      Objects.requireNonNull(transactionalId, "transactionalId");
      Objects.requireNonNull(witness, "witness");
      partitions = new TreeMap<>(partitions);
    }
  }

  /**
   * Where in the history of its job a transaction's records are; marks of other attempts are
   * compared with that (R6).
   *
   * @param since the checkpoint at which the records before this transaction ended, as far as the
   *     writer knows: at most {@code begun}, and earlier where intervals in between had no records.
   *     {@link #UNCOMPARABLE} where numbers say nothing
   * @param begun that of its {@link dev.twophase.TransactionId}
   * @param line the number of its {@link Line}; empty if that is not known
   */
  public record Place(long since, long begun, OptionalLong line) {

    /** For {@code since}: no mark of another attempt is compared with this transaction. */
    public static final long UNCOMPARABLE = Long.MAX_VALUE;
  }

  /** The producer that wrote the transaction, where it lives in this process. */
  public interface LiveCommit {

    /** Whether the producer could commit it now. */
    boolean holds(Facts transaction);

    /**
     * Commits through the producer.
     *
     * @return false if it cannot tell: the coordinator must be asked
     */
    boolean commit(Facts transaction) throws InterruptedException;

    /** Tells that the outcome was established without the producer, which is then replaced. */
    void settled();
  }

  public KafkaHandle(Facts facts, @Nullable LiveCommit live) {
    this.facts = Objects.requireNonNull(facts, "facts");
    this.live = live;
  }

  public Facts facts() {
    return facts;
  }

  @Nullable LiveCommit live() {
    return live;
  }

  /** The binary form (S1). */
  public static SimpleVersionedSerializer<KafkaHandle> serializer() {
    return SERIALIZER;
  }

  private static void write(KafkaHandle handle, DataOutputView out) throws IOException {
    Facts facts = handle.facts;
    out.writeUTF(facts.transactionalId);
    out.writeLong(facts.producerId);
    out.writeShort(facts.epoch);
    out.writeByte(facts.protocol);
    out.writeLong(facts.place.since);
    out.writeLong(facts.place.begun);
    out.writeLong(facts.place.line.orElse(0));
    out.writeBoolean(facts.witness.isPresent());
    if (facts.witness.isPresent()) {
      Witness witness = facts.witness.get();
      out.writeUTF(witness.topic());
      out.writeInt(witness.partition());
      out.writeLong(witness.offset());
      out.writeInt(witness.hash());
    }
    out.writeInt(facts.partitions.size());
    for (Map.Entry<String, SortedSet<Integer>> topic : facts.partitions.entrySet()) {
      out.writeUTF(topic.getKey());
      out.writeInt(topic.getValue().size());
      for (int partition : topic.getValue()) {
        out.writeInt(partition);
      }
    }
  }

  private static KafkaHandle read(int version, DataInputView in) throws IOException {
    String transactionalId = in.readUTF();
    long producerId = in.readLong();
    short epoch = in.readShort();
    int protocol = in.readByte();
    Place place = readPlace(version, in);
    Optional<Witness> witness =
        in.readBoolean()
            ? Optional.of(new Witness(in.readUTF(), in.readInt(), in.readLong(), in.readInt()))
            : Optional.empty();
    Map<String, SortedSet<Integer>> partitions = new TreeMap<>();
    int topics = in.readInt();
    for (int i = 0; i < topics; i++) {
      SortedSet<Integer> ofTopic = new TreeSet<>();
      partitions.put(in.readUTF(), ofTopic);
      int count = in.readInt();
      for (int j = 0; j < count; j++) {
        ofTopic.add(in.readInt());
      }
    }
    return new KafkaHandle(
        new Facts(transactionalId, producerId, epoch, protocol, place, witness, partitions), null);
  }

  private static Place readPlace(int version, DataInputView in) throws IOException {
    long since = in.readLong();
    if (version < 2) {
      return new Place(since, since, OptionalLong.empty());
    }
    long begun = in.readLong();
    long line = in.readLong();
    return new Place(since, begun, line == 0 ? OptionalLong.empty() : OptionalLong.of(line));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KafkaHandle handle && handle.facts.equals(facts);
  }

  @Override
  public int hashCode() {
    return facts.hashCode();
  }

  @Override
  public String toString() {
    return facts.toString();
  }
}
