package dev.twophase.kafka.internal.commit;

import static dev.twophase.kafka.internal.commit.CoordinatorView.ABORTED;
import static dev.twophase.kafka.internal.commit.CoordinatorView.ABORTING;
import static dev.twophase.kafka.internal.commit.CoordinatorView.COMMITTED;
import static dev.twophase.kafka.internal.commit.CoordinatorView.COMMITTING;
import static dev.twophase.kafka.internal.commit.CoordinatorView.OPEN;
import static dev.twophase.kafka.internal.commit.CoordinatorView.SILENT;
import static org.apache.kafka.clients.admin.TransactionState.COMPLETE_ABORT;
import static org.apache.kafka.clients.admin.TransactionState.COMPLETE_COMMIT;
import static org.apache.kafka.clients.admin.TransactionState.EMPTY;
import static org.apache.kafka.clients.admin.TransactionState.ONGOING;
import static org.apache.kafka.clients.admin.TransactionState.PREPARE_ABORT;
import static org.apache.kafka.clients.admin.TransactionState.PREPARE_COMMIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.kafka.internal.commit.KafkaHandle.Facts;
import dev.twophase.kafka.internal.commit.KafkaHandle.Place;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.TransactionState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** C6: which states of an id say something about one transaction of it. */
class CoordinatorViewTest {

  private static final Place PLACE = new Place(0, 0, OptionalLong.empty());
  private static final long OURS = 42;
  private static final int EPOCH = 7;

  static Stream<Arguments> states() {
    return Stream.of(
        // protocol, state, producer id, epoch, what it says
        Arguments.of(2, ONGOING, OURS, EPOCH, OPEN),
        Arguments.of(1, ONGOING, OURS, EPOCH, OPEN),
        Arguments.of(2, PREPARE_COMMIT, OURS, EPOCH + 1, COMMITTING),
        Arguments.of(1, PREPARE_ABORT, OURS, EPOCH, ABORTING),
        Arguments.of(2, COMPLETE_COMMIT, OURS, EPOCH + 1, COMMITTED),
        Arguments.of(1, COMPLETE_COMMIT, OURS, EPOCH, COMMITTED),
        // committed under version 1 although begun under 2
        Arguments.of(2, COMPLETE_COMMIT, OURS, EPOCH, COMMITTED),
        Arguments.of(2, COMPLETE_ABORT, OURS, EPOCH + 1, ABORTED),
        Arguments.of(1, COMPLETE_ABORT, OURS, EPOCH, ABORTED),
        // under version 1 the next epoch may be a timeout's fence or the id's next transaction
        Arguments.of(1, COMPLETE_ABORT, OURS, EPOCH + 1, SILENT),
        Arguments.of(1, COMPLETE_COMMIT, OURS, EPOCH + 1, SILENT),
        // the id has moved on
        Arguments.of(2, ONGOING, OURS, EPOCH + 1, SILENT),
        Arguments.of(2, EMPTY, OURS, EPOCH + 2, SILENT),
        Arguments.of(2, COMPLETE_COMMIT, OURS, EPOCH + 2, SILENT),
        Arguments.of(2, COMPLETE_COMMIT, OURS + 1, 0, SILENT),
        Arguments.of(2, ONGOING, OURS + 1, EPOCH, SILENT),
        Arguments.of(2, TransactionState.UNKNOWN, OURS, EPOCH, SILENT));
  }

  @ParameterizedTest
  @MethodSource("states")
  void aStateSpeaksOnlyOfAnUntouchedId(
      int protocol, TransactionState state, long producerId, int epoch, CoordinatorView expected) {
    assertThat(CoordinatorView.of(ours(protocol), state, producerId, epoch)).isEqualTo(expected);
  }

  @Test
  void aForgottenIdSaysNothing() {
    assertThat(CoordinatorView.of(ours(2), null)).isEqualTo(SILENT);
  }

  private static Facts ours(int protocol) {
    return new Facts("id", OURS, (short) EPOCH, protocol, PLACE, Optional.empty(), Map.of());
  }
}
