package dev.twophase.kafka.outcome;

import dev.twophase.kafka.PassingClients;
import dev.twophase.kafka.internal.client.EndTransactions;
import dev.twophase.kafka.internal.client.KafkaClients;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** Clients with which something happens once, between the look at transactions and their EndTxn. */
record Meanwhile() implements PassingClients {

  // Outside the object, which is serialized with the sink.
  private static final AtomicReference<Callable<?>> NEXT = new AtomicReference<>();
  private static final List<String> DETAILS = new CopyOnWriteArrayList<>();

  static Meanwhile happens(Callable<?> event) {
    DETAILS.clear();
    NEXT.set(event);
    return new Meanwhile();
  }

  /** What was answered to EndTxn since, in the coordinators' words. */
  static List<String> answers() {
    return DETAILS;
  }

  @Override
  public EndTransactions endTransactions(Properties properties) {
    EndTransactions real = KafkaClients.real().endTransactions(properties);
    return new EndTransactions() {
      @Override
      public Map<Ending, Reply> end(Collection<Ending> endings, Duration timeout)
          throws InterruptedException {
        happen();
        Map<Ending, Reply> replies = real.end(endings, timeout);
        replies.values().forEach(reply -> DETAILS.add(reply.detail()));
        return replies;
      }

      @Override
      public void close() {
        real.close();
      }
    };
  }

  private static void happen() {
    Callable<?> event = NEXT.getAndSet(null);
    if (event != null) {
      try {
        event.call();
      } catch (Exception failed) {
        throw new AssertionError("What was to happen meanwhile did not", failed);
      }
    }
  }
}
