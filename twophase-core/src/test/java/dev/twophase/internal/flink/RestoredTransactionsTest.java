package dev.twophase.internal.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.HandleSerializers;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.internal.state.PreparedTransactionSerializer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.junit.jupiter.api.Test;

/** What a committer knows of a restore before Flink hands it over. */
class RestoredTransactionsTest {

  private final RestoredTransactions<String> restored = new RestoredTransactions<>();
  private final SimpleVersionedSerializer<PreparedTransaction<String>> serializer =
      restored.noting(new PreparedTransactionSerializer<>(HandleSerializers.text()));

  private PreparedTransaction<String> read(long checkpointId) throws IOException {
    TransactionId id = new TransactionId("orders", 0, checkpointId - 1, UUID.randomUUID());
    PreparedTransaction<String> transaction =
        new PreparedTransaction<>(id, checkpointId, 0, 0, 1, Optional.of("handle"), List.of());
    return serializer.deserialize(serializer.getVersion(), serializer.serialize(transaction));
  }

  @Test
  void C1_onlyWhatTheRestoredCheckpointCoversIsDue() throws IOException {
    restored.noteFrom(2);
    PreparedTransaction<String> first = read(1);
    PreparedTransaction<String> second = read(2);
    read(3);
    List<PreparedTransaction<String>> due = restored.take();
    assertThat(due).hasSize(2);
    // Flink hands over these very objects.
    assertThat(due.get(0)).isSameAs(first);
    assertThat(due.get(1)).isSameAs(second);
  }

  @Test
  void nothingIsNotedBeforeARestoreNorAfterItWasTaken() throws IOException {
    read(1);
    assertThat(restored.take()).isEmpty();
    restored.noteFrom(2);
    read(1);
    assertThat(restored.take()).hasSize(1);
    read(2);
    assertThat(restored.take()).isEmpty();
  }
}
