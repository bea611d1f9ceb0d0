package dev.twophase.testkit;

import dev.twophase.testkit.schedule.FaultKind;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A sink as its author presents it to the kit. {@link ExactlyOnceSinkContract} is the JUnit form of
 * it, {@link SinkKit} the programmatic one. All methods are called by one thread at a time, unless
 * {@link #concurrentRuns} says otherwise.
 *
 * @param <IN> type of the sink's records
 */
public interface SinkUnderTest<IN> {

  /**
   * Makes the sink for one run.
   *
   * @return a Flink {@code Sink}, a {@code SinkFunction}, or a {@link
   *     dev.twophase.TransactionalConnector}. The kit copies it for every attempt, by serializing
   *     it or, for a connector, by calling this again: attempts share nothing but checkpointed
   *     bytes and the external system
   * @throws Exception if it cannot be made; the run then proves nothing
   */
  Object sink(SinkSetup setup) throws Exception;

  /** Turns a record of the kit into one of the sink's. */
  IN input(TestRecord record);

  /**
   * Reads all that a consumer of the external system sees, each copy as often as it is seen, in its
   * order if the sink claims one. Called after every step, so it should be cheap.
   *
   * @param namespace see {@link SinkSetup#namespace}
   * @throws Exception if it cannot be read; the run then proves nothing
   */
  List<TestRecord> readVisible(String namespace) throws Exception;

  /**
   * How many runs may go on at once, each in a namespace of its own: the methods of this interface
   * are then called by as many threads. More than there are processors pay where runs wait for a
   * server; {@link Integer#MAX_VALUE} stands for as many as there are processors. What is found
   * does not depend on it. One (the default) suits a sink or reader that shares anything else
   * between namespaces.
   */
  default int concurrentRuns() {
    return 1;
  }

  /**
   * Whether explorations may freeze an attempt inside a call, to let it go on when its successor
   * has long taken over, and let a lost one act while its successor waits for the word to commit
   * (R4, R5). False by default: where attempts hold locks, each such schedule lasts as long as the
   * external system's lock timeout. Schedules of one's own may always do so.
   */
  default boolean freezesAttempts() {
    return false;
  }

  /**
   * Kinds of fault that explorations try besides errors, lost replies and kills, at each call that
   * changes something: {@link FaultKind#NOT_APPLIED} and {@link FaultKind#UNKNOWN}. None by
   * default: to most clients they look like an error or a lost reply, and multiply the schedules.
   */
  default Set<FaultKind> additionalKinds() {
    return Set.of();
  }

  /**
   * What explorations may do to the external system as a whole: {@link ExternalEvent#DOWN} lets it
   * be down for a step, {@link ExternalEvent#EXPIRE} lets it forget what is not committed, which
   * needs {@link #external}. Nothing by default: a step then lasts as long as the sink goes on
   * trying.
   */
  default Set<ExternalEvent> externalEvents() {
    return Set.of();
  }

  /**
   * Whether sinks of other names ({@link SinkSetup#sinkName}) may use the same namespace, as those
   * of several jobs that write to one table do: explorations then let a neighbour move in before
   * some recoveries, the same sink under a name that begins like this one's. What it has prepared
   * must be there when it comes back to commit it (R2, W6). False by default: a sink that has the
   * namespace to itself need not look at names. {@link #sink} is called once more for a neighbour.
   */
  default boolean toleratesNeighbours() {
    return false;
  }

  /** What the sink promises; exactly-once by default. */
  default SinkClaims claims() {
    return SinkClaims.exactlyOnce();
  }

  /**
   * Lists what is open or prepared in the external system, for messages.
   *
   * @return empty (the default) if it cannot be listed; leaks then go unchecked
   * @throws Exception if the list cannot be made; the run then proves nothing
   */
  default Optional<Collection<?>> unfinished(String namespace) throws Exception {
    return Optional.empty();
  }

  /**
   * Counts what the sink keeps in the external system beside what is visible, for example files,
   * rows of its bookkeeping, or names in use: what grows over 1, 2, 4 and 8 crashes is a leak,
   * whether or not {@link #unfinished} can list it. What may grow for ever must not be counted.
   *
   * @return empty (the default) if it is not counted; growth then goes unchecked
   * @throws Exception if it cannot be counted; the run then proves nothing
   */
  default OptionalLong leftBehind(String namespace) throws Exception {
    return OptionalLong.empty();
  }

  /**
   * Takes the external system down or up, or lets it forget what is not committed.
   *
   * @return false (the default) if the kit must do it by itself: it makes decorated calls fail
   *     while the system is down, and cannot let anything expire
   * @throws Exception if it cannot be done; the run then proves nothing
   */
  default boolean external(String namespace, ExternalEvent event) throws Exception {
    return false;
  }

  /**
   * Whether the external system is one of real servers, with threads and a clock of their own, so
   * that no two runs are quite alike. What accuses the sink must then be found five times of five
   * before it is told; reports call it class D2. False by default; on a cluster it does not matter.
   */
  default boolean realServers() {
    return false;
  }

  /**
   * Which classes each attempt loads anew in every run, so that nothing passes from one to the next
   * in static fields: full names of packages, with all below them, or of classes, with those nested
   * in them. The sink's own classes belong there; its record type, and what stands for the external
   * system in the test's process, do not. A name that nothing has is refused, and so is what
   * belongs to the JDK, to Flink's interfaces and to the kit. Empty by default: then {@link
   * ExactlyOnceSinkContract} repeats schedules with one fault and the sink's classes loaded anew,
   * as far as it finds out itself which these are, and time allows.
   */
  default List<String> isolatedClasses() {
    return List.of();
  }

  /**
   * Whether this error is the sink's way of saying that it found a loss or a rewind. By default
   * those of this library are.
   */
  default boolean isDeclaredError(Throwable error) {
    return error instanceof dev.twophase.error.TransactionLostException
        || error instanceof dev.twophase.error.RewindDetectedException;
  }

  /**
   * Removes the namespace after a run. Does nothing by default.
   *
   * @throws Exception if it cannot be removed; the run's verdict stands
   */
  default void cleanUp(String namespace) throws Exception {}
}
