package dev.twophase.kafka.internal.commit;

import dev.twophase.kafka.internal.ExternalId;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.client.EndTransactions.Ending;
import dev.twophase.kafka.internal.commit.KafkaHandle.Facts;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.common.Node;

/**
 * What the coordinators say, asked once, of all that is ongoing under the sink's name. After a
 * restore Flink hands over what is prepared one checkpoint at a time, and asking for each anew
 * takes longer than committing it. What was ongoing then may have ended since, so it is used only
 * where EndTxn names exactly one transaction, which is under version 2, and only once; any other
 * answer than success leads to a look of its own.
 */
final class Foresight {

  private final Map<String, TransactionDescription> states = new HashMap<>();
  private Map<Integer, Node> nodes = Map.of();
  private boolean asked;

  /** How to commit it, if it was ongoing when this was asked first. */
  Optional<Ending> commitOf(Facts facts, Coordinators coordinators) throws InterruptedException {
    if (facts.protocol() < 2) {
      return Optional.empty();
    }
    if (!asked) {
      asked = true;
      Optional<ExternalId> id = ExternalId.parse(facts.transactionalId());
      if (id.isPresent()) {
        ask(id.get().sinkName(), coordinators);
      }
    }
    TransactionDescription state = states.remove(facts.transactionalId());
    Node node = state == null ? null : nodes.get(state.coordinatorId());
    return node == null || CoordinatorView.of(facts, state) != CoordinatorView.OPEN
        ? Optional.empty()
        : Optional.of(
            new Ending(
                facts.transactionalId(),
                facts.producerId(),
                facts.epoch(),
                facts.protocol(),
                true,
                node));
  }

  private void ask(String sinkName, Coordinators coordinators) throws InterruptedException {
    nodes = coordinators.nodes();
    states.putAll(coordinators.describe(coordinators.ongoing(ExternalId.pattern(sinkName))));
  }
}
