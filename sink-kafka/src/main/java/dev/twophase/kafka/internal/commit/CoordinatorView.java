package dev.twophase.kafka.internal.commit;

import dev.twophase.kafka.internal.commit.KafkaHandle.Facts;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.jspecify.annotations.Nullable;

/**
 * What the coordinator's state of a transactional id says about one transaction of it. A state
 * speaks of our transaction only while the id is untouched: the same producer id, and the epoch
 * that our transaction ends with.
 */
public enum CoordinatorView {
  /** ours is ongoing: it can be committed or aborted */
  OPEN,
  /** ours was committed, which cannot be undone, and is being written to the partitions */
  COMMITTING,
  /** ours was aborted, likewise */
  ABORTING,
  /** ours was committed */
  COMMITTED,
  /** ours was aborted, by a timeout or by somebody */
  ABORTED,
  /** the id has moved on, or is forgotten: the state says nothing about ours */
  SILENT;

  /**
   * Reads a state.
   *
   * @param state null if the coordinator does not know the id
   */
  public static CoordinatorView of(Facts ours, @Nullable TransactionDescription state) {
    if (state == null) {
      return SILENT;
    }
    return of(ours, state.state(), state.producerId(), state.producerEpoch());
  }

  static CoordinatorView of(Facts ours, TransactionState state, long producerId, int epoch) {
    if (producerId != ours.producerId()) {
      return SILENT;
    }
    if (epoch == ours.epoch()) {
      return state == TransactionState.ONGOING ? OPEN : completed(state);
    }
    // Version 2 raises the epoch with each transaction. Under version 1 the next epoch is either
    // the fence of a timeout or the id's next transaction: the state alone does not tell which.
    return epoch == ours.epoch() + 1 && ours.protocol() >= 2 ? completed(state) : SILENT;
  }

  private static CoordinatorView completed(TransactionState state) {
    return switch (state) {
      case COMPLETE_COMMIT -> COMMITTED;
      case COMPLETE_ABORT -> ABORTED;
      case PREPARE_COMMIT -> COMMITTING;
      case PREPARE_ABORT, PREPARE_EPOCH_FENCE -> ABORTING;
      default -> SILENT;
    };
  }
}
