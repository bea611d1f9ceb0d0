package dev.twophase.kafka.internal.write;

import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.commit.CoordinatorView;
import dev.twophase.kafka.internal.commit.KafkaHandle.Facts;
import dev.twophase.kafka.internal.write.LiveProducer.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.common.KafkaException;
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

  /** How often to look again for one that is about to be free: a new one takes longer. */
  private static final int MOST_LOOKS = 500;

  private static final long PAUSE_MILLIS = 2;

  /** Makes and initialises the producer of a slot. */
  interface Factory {
    LiveProducer make(int slot) throws InterruptedException;
  }

  private final Factory factory;
  private final Coordinators coordinators;
  private final List<LiveProducer> slots = new ArrayList<>();
  private Coordinators.@Nullable Asked ahead;

  ProducerPool(Factory factory, Coordinators coordinators) {
    this.factory = factory;
    this.coordinators = coordinators;
  }

  /** Makes the first producers. */
  void warmUp(int producers) throws InterruptedException {
    while (slots.size() < producers) {
      slots.add(factory.make(slots.size()));
    }
  }

  /** A producer with a fresh transaction. */
  LiveProducer begin() throws InterruptedException {
    LiveProducer producer = acquire();
    producer.begin();
    return producer;
  }

  /**
   * Asks now what the next begin has to know of those whose commit was some time ago, so that it
   * need not wait for the answer.
   */
  void lookAhead() {
    ahead = coordinators.ask(ids(State.COMMITTED::equals));
  }

  private LiveProducer acquire() throws InterruptedException {
    useAhead();
    for (int look = 0; ; look++) {
      LiveProducer free = firstFree();
      if (free != null) {
        return free;
      }
      boolean soon = refresh();
      free = firstFree();
      if (free != null) {
        return free;
      }
      if (!soon || look == MOST_LOOKS) {
        break;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    for (LiveProducer used : slots) {
      if (used.state() == State.REPLACEABLE || (used.state() == State.SPENT && isCommitted(used))) {
        return replace(used);
      }
    }
    LiveProducer made = factory.make(slots.size());
    slots.add(made);
    return made;
  }

  private void useAhead() throws InterruptedException {
    Coordinators.Asked asked = ahead;
    ahead = null;
    if (asked != null) {
      try {
        learn(asked);
      } catch (KafkaException unanswered) {
        LOG.debug("What is free is asked for again", unanswered);
      }
    }
  }

  private @Nullable LiveProducer firstFree() {
    for (LiveProducer producer : slots) {
      if (producer.state() == State.FREE) {
        return producer;
      }
    }
    return null;
  }

  private LiveProducer replace(LiveProducer used) throws InterruptedException {
    used.close();
    LiveProducer made = factory.make(used.slot());
    slots.set(used.slot(), made);
    return made;
  }

  /**
   * Looks which producers can go on.
   *
   * @return whether one can in a moment: its commit is decided, and being written to the partitions
   */
  private boolean refresh() throws InterruptedException {
    return learn(coordinators.ask(ids(ProducerPool::isBusy)));
  }

  private static boolean isBusy(State state) {
    return state == State.PREPARED || state == State.COMMITTED;
  }

  private List<String> ids(Predicate<State> wanted) {
    return slots.stream()
        .filter(each -> wanted.test(each.state()))
        .map(LiveProducer::transactionalId)
        .toList();
  }

  private boolean learn(Coordinators.Asked asked) throws InterruptedException {
    Map<String, TransactionDescription> states = asked.answer();
    boolean soon = false;
    for (LiveProducer producer : slots) {
      if (!isBusy(producer.state()) || !asked.ids().contains(producer.transactionalId())) {
        continue;
      }
      TransactionDescription state = states.get(producer.transactionalId());
      Facts last = Objects.requireNonNull(producer.prepared());
      switch (CoordinatorView.of(last, state)) {
        case COMMITTING, ABORTING -> soon = true;
        case COMMITTED -> committed(producer, last, Objects.requireNonNull(state));
        default -> {
          // Expired while the job was idle, or taken over by somebody.
          if (producer.state() == State.COMMITTED) {
            producer.replaceable();
          }
        }
      }
    }
    return soon;
  }

  private static void committed(LiveProducer producer, Facts last, TransactionDescription state)
      throws InterruptedException {
    // A committer elsewhere has committed it: the producer repeats that, and so learns of it.
    if (producer.state() == State.PREPARED && !producer.commit(last)) {
      return;
    }
    if (state.producerEpoch() == last.epoch() + 1 && last.protocol() >= 2) {
      producer.free();
    } else {
      producer.replaceable();
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
    return (int) slots.stream().filter(each -> each.state() != State.CLOSED).count();
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
