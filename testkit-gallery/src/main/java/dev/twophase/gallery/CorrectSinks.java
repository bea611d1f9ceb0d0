package dev.twophase.gallery;

import dev.twophase.flink.TransactionalSink;
import dev.twophase.flink.TransactionalSinkFunction;
import dev.twophase.gallery.connector.LedgerConnector;
import dev.twophase.gallery.connector.PipelinedConnector;
import dev.twophase.gallery.connector.RetriedConnector;
import dev.twophase.gallery.connector.StagedLedgerConnector;
import dev.twophase.gallery.connector.StoreConnector;
import dev.twophase.gallery.connector.SwapConnector;
import dev.twophase.gallery.function.HardenedFunction;
import dev.twophase.gallery.function.RenameFunction;
import dev.twophase.gallery.function.ReportingRenameFunction;
import dev.twophase.gallery.function.TwoPhaseFunction;
import dev.twophase.gallery.function.UpsertFunction;
import dev.twophase.gallery.sink.StoreSink;
import dev.twophase.gallery.sink.ThrowsInCloseSink;
import dev.twophase.gallery.store.Store;
import dev.twophase.testkit.AtomicUnit;
import dev.twophase.testkit.OrderScope;
import dev.twophase.testkit.SinkClaims;
import java.time.Duration;
import java.util.List;
import org.apache.flink.connector.base.DeliveryGuarantee;

/** The sinks that must never be accused. */
public final class CorrectSinks {

  private static final SinkClaims ORDERED = SinkClaims.exactlyOnce().withOrder(OrderScope.KEY);

  /** Of sinks that leave it to the store to time out what a crashed attempt left behind. */
  private static final SinkClaims TIMED_OUT =
      ORDERED.withTransactionTimeout(Duration.ofMinutes(15));

  public static final GallerySink CONNECTOR =
      new GallerySink(
              "connector, commit marked in the store",
              StoreConnector::new,
              ORDERED.withUnit(AtomicUnit.TRANSACTION))
          .amongNeighbours();

  public static final GallerySink PIPELINED =
      new GallerySink("connector, asynchronous writes", PipelinedConnector::new, ORDERED)
          .amongNeighbours();

  public static final GallerySink LEDGER =
      new GallerySink("connector, rows in the handle and a ledger", LedgerConnector::new, ORDERED)
          .amongNeighbours();

  public static final GallerySink STAGED_LEDGER =
      new GallerySink(
              "connector, staged row by row and inserted at once",
              StagedLedgerConnector::new,
              ORDERED
                  .withUnit(AtomicUnit.TRANSACTION)
                  .withTransactionTimeout(Duration.ofMinutes(15)))
          .amongNeighbours();

  public static final GallerySink SWAP =
      new GallerySink("connector, staging and atomic swap", SwapConnector::new, ORDERED)
          .amongNeighbours();

  public static final GallerySink RETRIED =
      new GallerySink("connector, seven retries per commit", RetriedConnector::new, ORDERED);

  public static final GallerySink LATE =
      new GallerySink(
          "connector, slow visibility",
          StoreConnector::new,
          ORDERED.withVisibilityDelay(Duration.ofSeconds(5)),
          Store::visibleLate,
          true);

  public static final GallerySink AT_LEAST_ONCE =
      new GallerySink(
          "connector claiming at-least-once",
          StoreConnector::new,
          ORDERED.withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE));

  public static final GallerySink NONE =
      new GallerySink(
          "connector claiming nothing",
          StoreConnector::new,
          ORDERED.withGuarantee(DeliveryGuarantee.NONE));

  public static final GallerySink CONNECTOR_AS_SINK =
      new GallerySink(
              "connector through Sink V2",
              setup ->
                  TransactionalSink.of(
                      setup.sinkName(),
                      new StoreConnector(setup),
                      setup.options().withCommitTimeout(Duration.ZERO)),
              ORDERED)
          .amongNeighbours();

  public static final GallerySink CONNECTOR_AS_FUNCTION =
      new GallerySink(
              "connector through the sink function",
              setup ->
                  TransactionalSinkFunction.of(
                      setup.sinkName(),
                      new StoreConnector(setup),
                      setup.options().withCommitTimeout(Duration.ZERO)),
              ORDERED)
          .amongNeighbours();

  public static final GallerySink SINK_V2 =
      new GallerySink("Sink V2 by hand", StoreSink::new, ORDERED.withUnit(AtomicUnit.TRANSACTION));

  /** Its base class commits the next transaction when one has failed: no order is promised. */
  public static final GallerySink TWO_PHASE_FUNCTION =
      new GallerySink(
          "TwoPhaseCommitSinkFunction by hand",
          TwoPhaseFunction::new,
          TIMED_OUT.withOrder(OrderScope.NONE));

  public static final GallerySink HARDENED_FUNCTION =
      new GallerySink("HardenedTwoPhaseCommitSinkFunction", HardenedFunction::new, TIMED_OUT);

  public static final GallerySink RENAME_FUNCTION =
      new GallerySink("sink function, staging and rename", RenameFunction::new, TIMED_OUT);

  public static final GallerySink REPORTING_RENAME_FUNCTION =
      new GallerySink(
          "sink function, staging and rename, saying what was left behind",
          ReportingRenameFunction::new,
          TIMED_OUT);

  public static final GallerySink THROWS_IN_CLOSE =
      new GallerySink("Sink V2 whose close() throws", ThrowsInCloseSink::new, ORDERED);

  public static final GallerySink UPSERT =
      new GallerySink(
          "sink function, idempotent upsert claiming at-least-once",
          UpsertFunction::new,
          ORDERED.withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE));

  private CorrectSinks() {}

  /** Those that the protocol tier runs. */
  public static List<GallerySink> connectors() {
    return List.of(
        CONNECTOR, PIPELINED, LEDGER, STAGED_LEDGER, SWAP, RETRIED, LATE, AT_LEAST_ONCE, NONE);
  }

  /** Those that the operator tier runs, in both APIs. */
  public static List<GallerySink> flinkSinks() {
    return List.of(
        CONNECTOR_AS_SINK,
        CONNECTOR_AS_FUNCTION,
        SINK_V2,
        THROWS_IN_CLOSE,
        TWO_PHASE_FUNCTION,
        HARDENED_FUNCTION,
        REPORTING_RENAME_FUNCTION,
        UPSERT);
  }
}
