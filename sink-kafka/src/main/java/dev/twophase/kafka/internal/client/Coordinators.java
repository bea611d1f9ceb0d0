package dev.twophase.kafka.internal.client;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeTransactionsOptions;
import org.apache.kafka.clients.admin.DescribeTransactionsResult;
import org.apache.kafka.clients.admin.FenceProducersOptions;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/** What the transaction coordinators of a cluster know. Thread-safe. */
public final class Coordinators implements AutoCloseable {

  /** Since kafka-clients 4.1 (KIP-1152); without it, the list is filtered here. */
  private static final @Nullable MethodHandle FILTER_BY_PATTERN = filterByPattern();

  private final Admin admin;
  private final int answerTimeoutMillis;

  /**
   * @param answerTimeout how long whoever commits waits for one answer
   */
  public Coordinators(Admin admin, Duration answerTimeout) {
    this.admin = admin;
    this.answerTimeoutMillis = (int) answerTimeout.toMillis();
  }

  /**
   * For questions that are asked before a commit: it must tell, now and then, what it waits for.
   */
  public int answerTimeoutMillis() {
    return answerTimeoutMillis;
  }

  /** The client behind it, for what is not about transactions. */
  public Admin admin() {
    return admin;
  }

  /**
   * Asks for the state of several ids at once.
   *
   * @return without those that the cluster does not know
   * @throws org.apache.kafka.common.KafkaException if one of them cannot be described
   */
  public Map<String, TransactionDescription> describe(Collection<String> ids)
      throws InterruptedException {
    return ask(ids).answer();
  }

  /** As {@link #describe}, for an answer that is wanted later. */
  public Asked ask(Collection<String> ids) {
    List<String> copy = List.copyOf(ids);
    return new Asked(copy, copy.isEmpty() ? null : admin.describeTransactions(copy));
  }

  /**
   * The states of some ids, being told.
   *
   * @param result null where none were asked for
   */
  public record Asked(List<String> ids, @Nullable DescribeTransactionsResult result) {

    /** Waits for them; fails as {@link #describe} does. */
    public Map<String, TransactionDescription> answer() throws InterruptedException {
      return result == null ? Map.of() : known(ids, result);
    }
  }

  /**
   * States, and the nodes that are up, by id: where EndTxn has to go.
   *
   * @param states without those that the cluster does not know
   */
  public record Look(Map<String, TransactionDescription> states, Map<Integer, Node> nodes) {}

  /** Asks for both at once; fails as {@link #describe} does, and if it takes longer. */
  public Look look(Collection<String> ids) throws InterruptedException {
    int millis = answerTimeoutMillis;
    KafkaFuture<Collection<Node>> nodes =
        admin.describeCluster(new DescribeClusterOptions().timeoutMs(millis)).nodes();
    return new Look(
        known(
            ids,
            admin.describeTransactions(ids, new DescribeTransactionsOptions().timeoutMs(millis))),
        byId(await(nodes)));
  }

  private static Map<String, TransactionDescription> known(
      Collection<String> ids, DescribeTransactionsResult asked) throws InterruptedException {
    Map<String, TransactionDescription> found = new HashMap<>();
    for (String id : ids) {
      unlessUnknown(asked.description(id)).ifPresent(state -> found.put(id, state));
    }
    return found;
  }

  private static Optional<TransactionDescription> unlessUnknown(
      KafkaFuture<TransactionDescription> description) throws InterruptedException {
    try {
      return Optional.of(await(description));
    } catch (TransactionalIdNotFoundException unknown) {
      return Optional.empty();
    }
  }

  /**
   * Aborts what is open under an id, and keeps whoever has it from going on.
   *
   * @throws org.apache.kafka.common.KafkaException if that fails, or takes longer
   */
  public void fence(String transactionalId, Duration timeout) throws InterruptedException {
    FenceProducersOptions options = new FenceProducersOptions().timeoutMs((int) timeout.toMillis());
    await(admin.fenceProducers(List.of(transactionalId), options).all());
  }

  /** The nodes that are up, by id. */
  public Map<Integer, Node> nodes() throws InterruptedException {
    return byId(await(admin.describeCluster().nodes()));
  }

  private static Map<Integer, Node> byId(Collection<Node> nodes) {
    Map<Integer, Node> byId = new HashMap<>();
    for (Node node : nodes) {
      byId.put(node.id(), node);
    }
    return byId;
  }

  /**
   * Ids whose transaction is in that state and whose name may match; those that do not must still
   * be sorted out, because older brokers and clients cannot filter.
   */
  public List<String> ids(String pattern, TransactionState state) throws InterruptedException {
    return ids(pattern, new ListTransactionsOptions().filterStates(List.of(state)));
  }

  /** Likewise, as a question that is asked before a commit. */
  public List<String> idsSoon(String pattern, TransactionState state) throws InterruptedException {
    return ids(
        pattern,
        new ListTransactionsOptions().filterStates(List.of(state)).timeoutMs(answerTimeoutMillis));
  }

  private List<String> ids(String pattern, ListTransactionsOptions unfiltered)
      throws InterruptedException {
    ListTransactionsOptions options =
        new ListTransactionsOptions()
            .filterStates(unfiltered.filteredStates())
            .timeoutMs(unfiltered.timeoutMs());
    Collection<TransactionListing> listed;
    try {
      listed = await(admin.listTransactions(withPattern(options, pattern)).all());
    } catch (UnsupportedVersionException olderBroker) {
      listed = await(admin.listTransactions(unfiltered).all());
    }
    return listed.stream().map(TransactionListing::transactionalId).toList();
  }

  private static ListTransactionsOptions withPattern(
      ListTransactionsOptions options, String pattern) {
    if (FILTER_BY_PATTERN == null) {
      return options;
    }
    try {
      return (ListTransactionsOptions) FILTER_BY_PATTERN.invoke(options, pattern);
    } catch (RuntimeException | Error asIs) {
      throw asIs;
    } catch (Throwable checked) {
      throw new IllegalStateException("filterOnTransactionalIdPattern failed", checked);
    }
  }

  private static @Nullable MethodHandle filterByPattern() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(
              ListTransactionsOptions.class,
              "filterOnTransactionalIdPattern",
              MethodType.methodType(ListTransactionsOptions.class, String.class));
    } catch (ReflectiveOperationException olderClient) {
      return null;
    }
  }

  /** The cluster's transaction.version: 2 where epochs change with each transaction, else 1. */
  public int protocol() throws InterruptedException {
    Optional<FinalizedVersionRange> version =
        Optional.ofNullable(
            await(admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .get("transaction.version"));
    return version.map(FinalizedVersionRange::maxVersionLevel).orElse((short) 0) >= 2 ? 2 : 1;
  }

  /**
   * Waits for an admin call; its deadline is the client's default.api.timeout.ms.
   *
   * @throws org.apache.kafka.common.KafkaException if it failed
   */
  public static <V> V await(KafkaFuture<V> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }

  @Override
  public void close() {
    // Nothing sent is worth waiting for.
    admin.close(Duration.ZERO);
  }
}
