package dev.twophase.testkit.internal.run;

import dev.twophase.TransactionalConnector;
import dev.twophase.flink.TransactionalSink;
import dev.twophase.policy.RewindPolicy;
import dev.twophase.testkit.ExternalEvent;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.cluster.ClusterTier;
import dev.twophase.testkit.internal.cluster.Clusters;
import dev.twophase.testkit.internal.faults.FaultyConnector;
import dev.twophase.testkit.internal.operator.OperatorTier;
import dev.twophase.testkit.internal.operator.plan.Deployment;
import dev.twophase.testkit.internal.operator.plan.SharedPlans;
import dev.twophase.testkit.internal.operator.plan.SinkAttachment;
import dev.twophase.testkit.internal.protocol.ProtocolTier;
import dev.twophase.testkit.internal.tier.AttemptClassLoader;
import dev.twophase.testkit.internal.tier.Tier;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import dev.twophase.testkit.internal.watch.Watch;
import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.schedule.Source;
import java.io.IOException;
import java.io.Serializable;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.JobID;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A sink under test, with what its author's methods may do wrong kept apart from what it does. */
public final class Subject<IN> {

  private static final Logger LOG = LoggerFactory.getLogger(Subject.class);
  private static final long FIRST_RUN = 10_000_000_000L;
  private static final long PLACES_TO_BEGIN = 9_000_000_000L;

  /** From anywhere, so that what another process has left in a lasting system is not met again. */
  private static final AtomicLong RUNS =
      new AtomicLong(FIRST_RUN + ThreadLocalRandom.current().nextLong(PLACES_TO_BEGIN));

  private static final String SINK_NAME = "sut";
  private static final JobID OWN_JOB = new JobID(1, 1);
  private static final JobID JOB_OF_NEIGHBOUR = new JobID(1, 2);

  private final CheckedSink<IN> sink;
  private final SinkClaims claims;
  private final @Nullable Clusters clusters;

  /** What each attempt loads anew. */
  private final List<String> anew;

  /** Whether all attempts of a run share what it loads anew. */
  private final boolean oncePerRun;

  private final boolean waitsOutDelays;

  private final SharedPlans plans = new SharedPlans();
  private final SharedPlans plansOfNeighbour = new SharedPlans();
  private final AtomicLong uncleaned = new AtomicLong();
  private final AtomicReference<@Nullable String> whyUncleaned = new AtomicReference<>();
  private final AtomicLong leaksUnchecked = new AtomicLong();
  private volatile boolean attemptsRead;
  private volatile boolean checked;

  /** Runs in the fastest tier that a sink of this kind allows. */
  public Subject(SinkUnderTest<IN> sink) {
    this(sink, null);
  }

  /**
   * Runs in the cluster tier.
   *
   * @param clusters to run on; null for the fastest tier that a sink of this kind allows
   */
  public Subject(SinkUnderTest<IN> sink, @Nullable Clusters clusters) {
    this.sink = new CheckedSink<>(sink);
    this.clusters = clusters;
    this.claims = this.sink.claims();
    this.anew = this.sink.isolatedClasses();
    this.oncePerRun = false;
    this.waitsOutDelays = false;
  }

  private Subject(
      Subject<IN> other, List<String> anew, boolean oncePerRun, boolean waitsOutDelays) {
    this.sink = other.sink;
    this.clusters = other.clusters;
    this.claims = other.claims;
    this.anew = anew;
    this.oncePerRun = oncePerRun;
    this.waitsOutDelays = waitsOutDelays;
  }

  /**
   * The same sink, some of whose classes each attempt loads anew.
   *
   * @param classes full names of packages or classes
   */
  public Subject<IN> loadingAnew(List<String> classes) {
    return new Subject<>(this, classes, false, waitsOutDelays);
  }

  /** The same sink; what each of its attempts loads anew is loaded once for each run instead. */
  public Subject<IN> loadingAnewOncePerRun() {
    return new Subject<>(this, anew, true, waitsOutDelays);
  }

  /**
   * The same sink, each of whose runs ends with a read when the delay is over that it declares.
   * Others end when nothing is missing: a second copy may come later.
   */
  public Subject<IN> waitingOutDelays() {
    return new Subject<>(this, anew, oncePerRun, true);
  }

  boolean waitsOutDelays() {
    return waitsOutDelays;
  }

  private UnaryOperator<ClassLoader> loaders() {
    return oncePerRun
        ? AttemptClassLoader.oncePerRun(anew)
        : parent -> AttemptClassLoader.over(parent, anew);
  }

  /** What each attempt loads anew as the sink's author declares. */
  public List<String> loadedAnew() {
    return anew;
  }

  /**
   * The classes that an instance of the sink consists of, as far as they are not this library's.
   */
  public Set<Class<?>> classesOfSink() {
    String namespace = newNamespace();
    try {
      return Deployment.classesOf(
          sink.sink(new SinkSetup(namespace, SINK_NAME, claims.guarantee())));
    } catch (IOException notSerializable) {
      return Set.of();
    }
  }

  public SinkClaims claims() {
    return claims;
  }

  /** How many runs may go on at once. */
  public int concurrentRuns() {
    return sink.concurrentRuns();
  }

  /** Whether explorations may freeze attempts inside calls. */
  public boolean freezesAttempts() {
    return sink.freezesAttempts();
  }

  /** Kinds of fault that explorations try besides the usual ones. */
  public Set<FaultKind> additionalKinds() {
    return sink.additionalKinds();
  }

  /** What explorations may do to the external system as a whole. */
  public Set<ExternalEvent> externalEvents() {
    return sink.externalEvents();
  }

  /** Whether explorations may put a neighbour beside it. */
  public boolean toleratesNeighbours() {
    return sink.toleratesNeighbours() && claims.guarantee() == DeliveryGuarantee.EXACTLY_ONCE;
  }

  /** Whether no two runs are quite alike. */
  public boolean realServers() {
    return clusters != null || sink.realServers();
  }

  boolean acceptsRewind() {
    return claims.rewind().filter(RewindPolicy.ACCEPT::equals).isPresent();
  }

  String newNamespace() {
    // Always of one length, so that one can be put in the place of another.
    String number = Long.toString(RUNS.incrementAndGet());
    return "run-" + number.substring(1);
  }

  /**
   * The tier in which a sink of this kind runs.
   *
   * @param shipped whether a connector reaches each attempt as bytes, as Flink would send it; other
   *     sinks always do
   */
  Tier<?> tier(String namespace, Source source, boolean shipped) {
    SinkSetup setup = new SinkSetup(namespace, sinkName(namespace), claims.guarantee());
    Object made = sink.sink(setup);
    checkOnce(made);
    if (clusters != null) {
      return clusterTier(clusters, setup, source, made);
    }
    if (made instanceof TransactionalConnector<?, ?, ?>) {
      return protocolTier(setup, shipped, sink::input);
    }
    return operatorTier(setup, made, sink::input, plans, OWN_JOB);
  }

  /** Runs that share a server must not find each other's transactions under one name. */
  private String sinkName(String namespace) {
    return sink.realServers() ? namespace : SINK_NAME;
  }

  /** The tier in which the neighbour of such a sink runs, in the same place and under its name. */
  Tier<?> tierOfNeighbour(String namespace) {
    if (clusters != null) {
      throw new InconclusiveException("'ext neighbour' is not runnable on a cluster");
    }
    String name = Neighbour.nameBeside(sinkName(namespace));
    SinkSetup setup = new SinkSetup(namespace, name, claims.guarantee());
    Function<TestRecord, IN> inputs = record -> sink.input(Neighbour.disguised(record));
    Object made = sink.sink(setup);
    return made instanceof TransactionalConnector<?, ?, ?>
        ? protocolTier(setup, false, inputs)
        : operatorTier(setup, made, inputs, plansOfNeighbour, JOB_OF_NEIGHBOUR);
  }

  private Tier<?> operatorTier(
      SinkSetup setup,
      Object made,
      Function<TestRecord, IN> inputs,
      SharedPlans translated,
      JobID job) {
    try {
      return OperatorTier.of(
          made, inputs, claims.blocking(), translated, setup.namespace(), loaders(), job);
    } catch (IllegalArgumentException e) {
      throw new InconclusiveException(
          "sink(...) returned "
              + made.getClass().getName()
              + ", which is no Flink Sink, SinkFunction or TransactionalConnector",
          e);
    }
  }

  /** What the sink's author gets wrong in every run is told before the first. */
  private void checkOnce(Object made) {
    if (checked) {
      return;
    }
    sink.checkInput();
    IsolatedClasses.check(anew, made.getClass().getClassLoader());
    if (made instanceof Serializable) {
      Shipping.check(made);
    }
    checked = true;
  }

  private Tier<?> clusterTier(Clusters on, SinkSetup setup, Source source, Object made) {
    boolean connects = made instanceof TransactionalConnector<?, ?, ?>;
    Object attached =
        connects
            ? TransactionalSink.of(
                setup.sinkName(), new FaultyConnector<>(connector(made)), setup.options())
            : made;
    return new ClusterTier<>(
        on,
        source,
        SinkAttachment.<IN>ofAny(attached),
        sink::input,
        !connects,
        setup.namespace(),
        claims.blocking().toMillis());
  }

  private <T, H> Tier<?> protocolTier(
      SinkSetup setup, boolean shipped, Function<TestRecord, IN> inputs) {
    return new ProtocolTier<IN, T, H>(
        setup.sinkName(),
        setup.options(),
        shipped || !anew.isEmpty() ? attempts(setup) : () -> () -> connector(sink.sink(setup)),
        inputs);
  }

  /** Copies of the connector; those of one attempt share what it loads. */
  private <T, H> Supplier<Callable<TransactionalConnector<IN, T, H>>> attempts(SinkSetup setup) {
    UnaryOperator<ClassLoader> loaders = loaders();
    return () -> {
      Map<ClassLoader, ClassLoader> ofAttempt = new HashMap<>(2);
      return () -> {
        Object made = sink.sink(setup);
        ClassLoader parent = made.getClass().getClassLoader();
        return connector(copied(made, ofAttempt.computeIfAbsent(parent, loaders)));
      };
    };
  }

  private static Object copied(Object made, ClassLoader classLoader) throws Exception {
    try {
      return Deployment.deserialize(Deployment.serialize(made), classLoader);
    } catch (IOException e) {
      throw Shipping.refused(made, e);
    }
  }

  @SuppressWarnings("unchecked") // the author vouches for IN; T and H are the connector's own
  private static <IN, T, H> TransactionalConnector<IN, T, H> connector(Object made) {
    return (TransactionalConnector<IN, T, H>) made;
  }

  /**
   * Reads all that is visible.
   *
   * @param watch sees to it that it comes back
   * @throws dev.twophase.testkit.internal.watch.HungException if the reader was stuck for longer
   *     than calls may block
   */
  List<TestRecord> readVisible(String namespace, Watch watch) {
    try {
      List<TestRecord> visible =
          watch.limited("readVisible(...)", claims.blocking(), () -> sink.readVisible(namespace));
      if (!attemptsRead && !visible.isEmpty()) {
        attemptsRead = visible.get(0).attempt() != TestRecord.UNKNOWN;
      }
      return visible;
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("CheckedSink throws nothing that is checked", e);
    }
  }

  Optional<Collection<?>> unfinished(String namespace) {
    return sink.unfinished(namespace);
  }

  OptionalLong leftBehind(String namespace) {
    return sink.leftBehind(namespace);
  }

  boolean external(String namespace, ExternalEvent event) {
    return sink.external(namespace, event);
  }

  /** Whether the external system can be made to end what lingers past its timeout. */
  boolean letsExpire() {
    return externalEvents().contains(ExternalEvent.EXPIRE);
  }

  /** A run was not searched for what is left open. */
  void leaksUnchecked() {
    leaksUnchecked.incrementAndGet();
  }

  /** In how many runs nobody could say whether what is left open will be ended. */
  public long runsWithLeaksUnchecked() {
    return leaksUnchecked.get();
  }

  /** Whether any record that was read told the attempt that wrote it. */
  public boolean attemptsRead() {
    return attemptsRead;
  }

  boolean isDeclaredError(Throwable error) {
    return sink.isDeclaredError(error);
  }

  /** What a run left behind is removed; where that fails the verdict stands. */
  void cleanUp(String namespace) {
    try {
      sink.cleanUp(namespace);
    } catch (Throwable e) {
      // Not even an Error of a test's method may end the tests of others behind it.
      LOG.warn("cleanUp({}) failed; the verdict stands", namespace, e);
      uncleaned.incrementAndGet();
      whyUncleaned.compareAndSet(null, e.toString());
    }
  }

  /** In how many runs that has failed. */
  public long uncleaned() {
    return uncleaned.get();
  }

  /** Why the first of these has. */
  public String whyUncleaned() {
    return String.valueOf(whyUncleaned.get());
  }
}
