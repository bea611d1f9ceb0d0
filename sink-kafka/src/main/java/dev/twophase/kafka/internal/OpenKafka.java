package dev.twophase.kafka.internal;

import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.client.EndTransactions;
import dev.twophase.kafka.internal.client.KafkaSettings;
import dev.twophase.kafka.internal.commit.Commits;
import dev.twophase.kafka.internal.commit.ExternalId;
import dev.twophase.kafka.internal.commit.LineOfStart;
import dev.twophase.kafka.internal.commit.RewindMarks;
import dev.twophase.kafka.internal.write.BufferWatch;
import dev.twophase.kafka.internal.write.KafkaWriter;
import dev.twophase.kafka.internal.write.PlainWriter;
import dev.twophase.kafka.internal.write.RecordSender;
import dev.twophase.kafka.internal.write.Writer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.serialization.SerializationSchema.InitializationContext;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The clients of one instance of the connector; made when first needed. One thread at a time. */
final class OpenKafka<IN> implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OpenKafka.class);

  /** Nothing depends on it: whoever has to know waits again. */
  private static final Duration RESTORED_PATIENCE = Duration.ofSeconds(1);

  private final KafkaSettings<IN> settings;
  private final ConnectorContext context;
  private @Nullable Coordinators coordinators;
  private @Nullable EndTransactions endTransactions;
  private @Nullable Commits commits;
  private @Nullable Writer<IN> writer;
  private @Nullable NewTopics newTopics;
  private @Nullable BufferWatch bufferWatch;
  private boolean mapperOpened;
  private OptionalLong line = OptionalLong.empty();

  OpenKafka(KafkaSettings<IN> settings, ConnectorContext context) {
    this.settings = settings.of(context.sinkName());
    this.context = context;
  }

  Writer<IN> newWriter() throws Exception {
    mapperOpened = true;
    settings
        .mapper()
        .open(
            new Initialization(context),
            new Topics(context.subtask(), context.parallelism(), coordinators()));
    RecordSender<IN> sender =
        new RecordSender<>(
            settings.mapper(),
            context.sinkName(),
            settings.markerTopic(),
            context.bytesSent(),
            this::lookAtUnchecked);
    BufferWatch watch =
        new BufferWatch(context.sinkName(), context.subtask(), settings.properties());
    bufferWatch = watch;
    Writer<IN> made;
    if (context.guarantee() == DeliveryGuarantee.EXACTLY_ONCE) {
      ExternalId first =
          new ExternalId(context.sinkName(), context.subtask(), context.attemptNonce(), 0);
      made = new KafkaWriter<>(settings, sender, coordinators(), first, watch);
    } else {
      String name = context.sinkName() + "-" + context.subtask();
      made =
          new PlainWriter<>(
              sender,
              settings.clients().producer(settings.properties().producer(name)),
              name,
              settings.topics(),
              watch);
    }
    context.metrics().gauge("producers", made::producers);
    writer = made;
    return made;
  }

  /** Topics that are known beforehand have been checked at the start. */
  private void lookAtUnchecked(String topic) {
    if (!settings.topics().contains(topic)) {
      newTopics().look(topic);
    }
  }

  private NewTopics newTopics() {
    if (newTopics == null) {
      newTopics = new NewTopics(context.sinkName(), settings.properties(), coordinators());
    }
    return newTopics;
  }

  private record Initialization(ConnectorContext context) implements InitializationContext {

    @Override
    public MetricGroup getMetricGroup() {
      return context.metrics();
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
      return SimpleUserCodeClassLoader.create(context.userClassLoader());
    }
  }

  void preflight(PreflightContext job) throws InterruptedException {
    Preflight preflight = new Preflight(settings, job, coordinators(), context);
    try {
      awaitBrokers();
      awaitRestored(job);
      preflight.check();
      if (writer != null) {
        writer.warmUp(!job.batch());
        if (job.batch()) {
          writer.ignoreMarks();
        }
      }
    } catch (TimeoutException | AuthenticationException unreachable) {
      throw new KafkaException(
          "Sink '"
              + context.sinkName()
              + "' cannot speak to the brokers at "
              + settings.properties().bootstrapServers()
              + ": "
              + unreachable.getMessage()
              + ". Check setBootstrapServers, that they can be reached from here, and the security"
              + " settings given with setProperty (security.protocol, sasl.*, ssl.*)",
          unreachable);
    } catch (KafkaException error) {
      throw error.getCause() instanceof TransactionalIdAuthorizationException
          ? preflight.refuseIds()
          : error;
    }
  }

  /** Clients wait for a minute in silence for brokers that are not there. */
  private void awaitBrokers() throws InterruptedException {
    KafkaFuture<Collection<Node>> answer = coordinators().admin().describeCluster().nodes();
    try {
      answer.get(coordinators().answerTimeoutMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException told) {
      LOG.debug("Told below", told);
    } catch (java.util.concurrent.TimeoutException silence) {
      LOG.warn(
          "Sink '{}' has had no answer from the brokers at {} for {} ms, and waits for {} ms in"
              + " all (default.api.timeout.ms). Check setBootstrapServers, and that they can"
              + " be reached from here",
          context.sinkName(),
          settings.properties().bootstrapServers(),
          coordinators().answerTimeoutMillis(),
          settings.properties().callTimeout().toMillis());
    }
    Coordinators.await(answer);
  }

  /**
   * What the committer has just committed is being written. Whoever reads waits for that, and not
   * for a writer: what this one asks and makes at its start would take the broker's time from it.
   */
  private void awaitRestored(PreflightContext job) throws InterruptedException {
    if (job.guarantee() == DeliveryGuarantee.EXACTLY_ONCE && !job.batch()) {
      try {
        RewindMarks.awaitWritten(coordinators(), context, RESTORED_PATIENCE);
      } catch (UnsupportedVersionException tooOld) {
        LOG.debug("The preflight says what to do about it", tooOld);
      }
    }
  }

  Commits commits() {
    if (commits == null) {
      commits = new Commits(this::coordinators, this::endTransactions, settings, context);
    }
    return commits;
  }

  List<Unfinished> unfinished() throws InterruptedException {
    // The weaker guarantees begin nothing that could linger.
    return context.guarantee() == DeliveryGuarantee.EXACTLY_ONCE
        ? new Lingering(coordinators()).list(context.sinkName())
        : List.of();
  }

  void abort(Unfinished unfinished) throws InterruptedException {
    new Lingering(coordinators()).abort(unfinished, endTransactions());
  }

  Optional<TransactionId> committedSince(long checkpointId) throws InterruptedException {
    if (writer != null) {
      writer.startsAfter(checkpointId);
    }
    if (!settings.rewindDetection()) {
      return Optional.empty();
    }
    LineOfStart start =
        LineOfStart.look(coordinators(), context, checkpointId, !settings.refusesRewinds());
    line = OptionalLong.of(start.line().number());
    if (writer != null) {
      writer.inLine(start.line());
    }
    return start.proof();
  }

  OptionalLong line() {
    return line;
  }

  private Coordinators coordinators() {
    if (coordinators == null) {
      coordinators =
          new Coordinators(
              settings.clients().admin(settings.properties().admin(clientId("admin"))),
              settings.properties().answerTimeout());
    }
    return coordinators;
  }

  private EndTransactions endTransactions() {
    if (endTransactions == null) {
      endTransactions =
          settings.clients().endTransactions(settings.properties().admin(clientId("commits")));
    }
    return endTransactions;
  }

  private String clientId(String purpose) {
    return context.sinkName() + "-" + context.subtask() + "-" + purpose;
  }

  @Override
  public void close() {
    try {
      if (writer != null) {
        writer.close();
      }
      if (endTransactions != null) {
        endTransactions.close();
      }
    } finally {
      if (newTopics != null) {
        newTopics.close();
      }
      if (bufferWatch != null) {
        bufferWatch.close();
      }
      if (coordinators != null) {
        coordinators.close();
      }
      closeMapper();
    }
  }

  /** The job author's code: what it throws keeps nothing else from being closed. */
  private void closeMapper() {
    if (mapperOpened) {
      try {
        settings.mapper().close();
      } catch (Exception error) {
        LOG.warn(
            "Sink '{}' could not close its serializers or record mapper",
            context.sinkName(),
            error);
      }
    }
  }
}
