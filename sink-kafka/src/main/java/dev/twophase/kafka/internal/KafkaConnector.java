package dev.twophase.kafka.internal;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.kafka.internal.client.KafkaSettings;
import dev.twophase.kafka.internal.commit.KafkaHandle;
import dev.twophase.kafka.internal.write.KafkaTransaction;
import dev.twophase.kafka.internal.write.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/** The protocol's operations on Kafka. */
public final class KafkaConnector<IN>
    extends TransactionalConnector<IN, KafkaTransaction, KafkaHandle> {

  private static final long serialVersionUID = 1L;

  private final KafkaSettings<IN> settings;
  private transient @Nullable OpenKafka<IN> kafka;
  // Not behind `kafka`, to save the hot path a look.
  private transient @Nullable Writer<IN> writer;

  public KafkaConnector(KafkaSettings<IN> settings) {
    this.settings = settings;
  }

  @Override
  public void open(ConnectorContext context) throws Exception {
    OpenKafka<IN> opened = new OpenKafka<>(settings, context);
    kafka = opened;
    if (context.role() == ConnectorContext.Role.WRITER) {
      writer = opened.newWriter();
    }
  }

  @Override
  public void preflight(PreflightContext context) throws Exception {
    kafka().preflight(context);
  }

  @Override
  public KafkaTransaction begin(TransactionId id) throws InterruptedException {
    return writer().begin(id);
  }

  @Override
  public void write(KafkaTransaction transaction, @Nullable IN record, WriteContext context) {
    if (record != null) {
      writer().write(transaction, record, context);
    }
  }

  @Override
  public Optional<KafkaHandle> preCommit(KafkaTransaction transaction) throws InterruptedException {
    return writer().preCommit(transaction);
  }

  @Override
  public CommitOutcome commit(TransactionId id, KafkaHandle handle) throws Exception {
    return kafka().commits().commit(List.of(handle)).get(0);
  }

  @Override
  public List<CommitOutcome> commitAll(List<PreparedTransaction<KafkaHandle>> transactions)
      throws Exception {
    return kafka()
        .commits()
        .commit(transactions.stream().map(each -> each.handle().orElseThrow()).toList());
  }

  @Override
  public boolean commitsInOrder() {
    return true;
  }

  @Override
  public void abort(KafkaTransaction transaction) {
    writer().abort(transaction);
  }

  @Override
  public Iterable<Unfinished> unfinished() throws InterruptedException {
    return kafka().unfinished();
  }

  @Override
  public void abort(Unfinished transaction) throws InterruptedException {
    kafka().abort(transaction);
  }

  @Override
  public Optional<TransactionId> committedSince(long checkpointId) throws InterruptedException {
    return kafka().committedSince(checkpointId);
  }

  @Override
  public OptionalLong line() {
    return kafka().line();
  }

  @Override
  public Optional<Duration> transactionLifetime() {
    return Optional.of(settings.transactionTimeout());
  }

  @Override
  public String transactionLifetimeSetting() {
    return "setTransactionTimeout";
  }

  @Override
  public SimpleVersionedSerializer<KafkaHandle> handleSerializer() {
    return KafkaHandle.serializer();
  }

  @Override
  public void close() {
    OpenKafka<IN> opened = kafka;
    if (opened != null) {
      opened.close();
    }
  }

  private OpenKafka<IN> kafka() {
    OpenKafka<IN> opened = kafka;
    if (opened == null) {
      throw new IllegalStateException("The connector has not been opened");
    }
    return opened;
  }

  private Writer<IN> writer() {
    Writer<IN> opened = writer;
    if (opened == null) {
      throw new IllegalStateException("The connector has not been opened for writing");
    }
    return opened;
  }
}
