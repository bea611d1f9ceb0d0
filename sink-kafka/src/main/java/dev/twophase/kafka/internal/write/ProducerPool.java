package dev.twophase.kafka.internal.write;

import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.commit.CoordinatorView;
import dev.twophase.kafka.internal.commit.KafkaHandle.Facts;
import dev.twophase.kafka.internal.write.LiveProducer.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producers of one attempt. A slot is used again only once the coordinator has shown that its
 * last transaction is committed, so there are as many producers, threads and ids as transactions
 * that wait for their commit at one time, whatever the number of checkpoints. Where epochs change
 * with each transaction (transaction.version 2) the producer itself goes on; otherwise, or if it
 * has seen anything unusual, a new one takes over its id.
 *
 * <p>Not thread-safe.
 */
final class ProducerPool implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProducerPool.class);

  /** Makes and initialises the producer of a slot. */
  interface Factory {
    LiveProducer make(int slot) throws InterruptedException;
  }

  private final Factory factory;
  private final Coordinators coordinators;
  private final List<LiveProducer> slots = new ArrayList<>();

  ProducerPool(Factory factory, Coordinators coordinators) {
    this.factory = factory;
    this.coordinators = coordinators;
  }

  /** A producer with a fresh transaction. */
  LiveProducer begin() throws InterruptedException {
    LiveProducer producer = acquire();
    producer.begin();
    return producer;
  }

  private LiveProducer acquire() throws InterruptedException {
    LiveProducer free = firstFree();
    if (free != null) {
      return free;
    }
    refresh();
    free = firstFree();
    if (free != null) {
      return free;
    }
    for (LiveProducer spent : slots) {
      if (spent.state() == State.SPENT && isCommitted(spent)) {
        return replace(spent);
      }
    }
    LiveProducer made = factory.make(slots.size());
    slots.add(made);
    return made;
  }

  private @Nullable LiveProducer firstFree() {
    for (LiveProducer producer : slots) {
      if (producer.state() == State.FREE) {
        return producer;
      }
    }
    return null;
  }

  private LiveProducer replace(LiveProducer spent) throws InterruptedException {
    spent.close();
    LiveProducer made = factory.make(spent.slot());
    slots.set(spent.slot(), made);
    return made;
  }

  /** Looks which producers can go on. */
  private void refresh() throws InterruptedException {
    List<LiveProducer> busy =
        slots.stream()
            .filter(each -> each.state() == State.PREPARED || each.state() == State.COMMITTED)
            .toList();
    Map<String, TransactionDescription> states =
        coordinators.describe(busy.stream().map(LiveProducer::transactionalId).toList());
    for (LiveProducer producer : busy) {
      TransactionDescription state = states.get(producer.transactionalId());
      Facts last = Objects.requireNonNull(producer.prepared());
      if (state == null || CoordinatorView.of(last, state) != CoordinatorView.COMMITTED) {
        continue;
      }
      // A committer elsewhere has committed it: the producer repeats that, and so learns of it.
      if (producer.state() == State.PREPARED && !producer.commit(last)) {
        continue;
      }
      boolean epochsMove = state.producerEpoch() == last.epoch() + 1;
      if (epochsMove && last.protocol() >= 2) {
        producer.free();
      } else {
        producer.spend();
      }
    }
  }

  /** A spent producer's id may only be taken over if that cannot abort anything. */
  private boolean isCommitted(LiveProducer spent) throws InterruptedException {
    Facts last = spent.prepared();
    TransactionDescription state =
        coordinators.describe(List.of(spent.transactionalId())).get(spent.transactionalId());
    CoordinatorView view = last == null ? CoordinatorView.SILENT : CoordinatorView.of(last, state);
    if (view == CoordinatorView.ABORTED) {
      // Lost, and settled by policy: the slot stays empty.
      spent.close();
    }
    return view == CoordinatorView.COMMITTED;
  }

  /** Producers alive. */
  int size() {
    return slots.size();
  }

  @Override
  public void close() {
    for (LiveProducer producer : slots) {
      if (producer.state() != State.CLOSED) {
        try {
          producer.close();
        } catch (RuntimeException error) {
          LOG.warn("Could not close the producer of {}", producer.transactionalId(), error);
        }
      }
    }
  }
}
