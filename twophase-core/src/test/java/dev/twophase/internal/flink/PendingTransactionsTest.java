package dev.twophase.internal.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.error.PendingLimitException;
import dev.twophase.internal.engine.EngineClock;
import dev.twophase.policy.SinkOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class PendingTransactionsTest {

  private long now = 10_000;

  private final EngineClock clock =
      new EngineClock() {
        @Override
        public long millis() {
          return now;
        }

        @Override
        public void sleep(long millis) {
          now += millis;
        }
      };

  private static PreparedTransaction<String> transaction(long begunAt, long preparedAt) {
    return new PreparedTransaction<>(
        new TransactionId("orders", 0, 0, UUID.randomUUID()),
        1,
        begunAt,
        preparedAt,
        1,
        Optional.of("h"),
        List.of());
  }

  private PendingTransactions pending(int transactions, long bytes) {
    return new PendingTransactions(
        "orders", SinkOptions.defaults().withMaxPending(transactions, bytes), clock);
  }

  @Test
  void S3_moreThanTheCapIsRefusedNamingTheOption() throws Exception {
    PendingTransactions pending = pending(2, 1000);
    pending.add(transaction(0, 0), 1, 10);
    pending.add(transaction(0, 0), 2, 10);
    assertThatThrownBy(() -> pending.add(transaction(0, 0), 3, 10))
        .isInstanceOf(PendingLimitException.class)
        .hasMessageContaining("3 prepared transactions")
        .hasMessageContaining("maxPendingTransactions is 2")
        .hasMessageContaining("withMaxPending");
  }

  @Test
  void S3_moreBytesThanTheCapAreRefused() throws Exception {
    PendingTransactions pending = pending(100, 50);
    pending.add(transaction(0, 0), 1, 30);
    assertThatThrownBy(() -> pending.add(transaction(0, 0), 2, 30))
        .hasMessageContaining("60 bytes of handles")
        .hasMessageContaining("maxPendingBytes is 50");
  }

  @Test
  void S3_completedCheckpointMakesRoomForEverythingUpToIt() throws Exception {
    PendingTransactions pending = pending(2, 60);
    for (int checkpoint = 1; checkpoint < 100; checkpoint += 2) {
      pending.add(transaction(0, 0), checkpoint, 30);
      pending.add(transaction(0, 0), checkpoint + 1, 30);
      pending.completed(checkpoint + 1);
    }
    pending.add(transaction(0, 0), 100, 60);
  }

  @Test
  void gaugesTellHowManyWaitAndForHowLong() throws Exception {
    Map<String, Gauge<?>> gauges = new HashMap<>();
    PendingTransactions pending = pending(10, 1000);
    pending.register(
        new UnregisteredMetricsGroup() {
          @Override
          public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
            gauges.put(name, gauge);
            return gauge;
          }
        },
        Optional.of(Duration.ofSeconds(60)),
        Optional.of(Duration.ofSeconds(40)));
    assertThat(gauges.get("preparedTransactions").getValue()).isEqualTo(0L);
    pending.add(transaction(8_000, 9_000), 1, 30);
    pending.add(transaction(9_000, 9_500), 2, 30);
    now = 20_000;
    assertThat(gauges.get("preparedTransactions").getValue()).isEqualTo(2L);
    assertThat(gauges.get("oldestPreparedAge").getValue()).isEqualTo(11_000L);
    assertThat(gauges.get("oldestPreparedTimeLeft").getValue()).isEqualTo(48_000L);
    assertThat(gauges.get("toleratedOutage").getValue()).isEqualTo(40_000L);
    pending.completed(1);
    assertThat(gauges.get("oldestPreparedAge").getValue()).isEqualTo(10_500L);
  }
}
