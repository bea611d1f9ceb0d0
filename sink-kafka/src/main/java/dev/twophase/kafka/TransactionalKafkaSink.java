package dev.twophase.kafka;

import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.flink.TransactionalSink;
import dev.twophase.flink.TransactionalSinkFunction;
import dev.twophase.kafka.internal.KafkaConnector;
import dev.twophase.kafka.internal.client.ClientProperties;
import dev.twophase.kafka.internal.client.KafkaClients;
import dev.twophase.kafka.internal.client.KafkaSettings;
import dev.twophase.kafka.internal.client.ServerList;
import dev.twophase.kafka.internal.record.FieldMapper;
import dev.twophase.kafka.internal.record.FieldSerializer;
import dev.twophase.kafka.internal.record.KafkasSerializer;
import dev.twophase.kafka.internal.record.TopicName;
import dev.twophase.policy.SinkOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.util.function.SerializableFunction;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to Kafka, exactly once. Records of a checkpoint interval become visible to
 * read_committed consumers at once, when that checkpoint is complete. After a crash nothing is
 * guessed: whether a transaction was committed is read from its coordinator or from the log, and a
 * proven loss fails the job unless it may be quarantined.
 *
 * <pre>{@code
 * TransactionalKafkaSink.<String>builder()
 *     .setBootstrapServers("broker-1:9092,broker-2:9092")
 *     .setTransactionalIdPrefix("orders")
 *     .setTopic("orders")
 *     .setValueSerializer(new SimpleStringSchema())
 *     .buildSink();
 * }</pre>
 *
 * <p>Not thread-safe; may be used again, for instance under another name.
 *
 * @param <IN> type of the records
 */
public final class TransactionalKafkaSink<IN> {

  /** Default of {@link #setTransactionTimeout}: what brokers allow by default, 15 minutes. */
  public static final Duration DEFAULT_TRANSACTION_TIMEOUT = Duration.ofMinutes(15);

  /** Set by the sink itself. */
  private static final Map<String, String> RESERVED =
      Map.of(
          ProducerConfig.TRANSACTIONAL_ID_CONFIG,
          "use setTransactionalIdPrefix",
          ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
          "use setTransactionTimeout",
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          "use setKeySerializer",
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
          "use setValueSerializer",
          ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
          "use setBootstrapServers",
          "bootstrap.controllers",
          "leave it out, the sink speaks to the brokers of setBootstrapServers",
          "transaction.two.phase.commit.enable",
          "leave it out, it is not needed");

  private final Properties properties = new Properties();
  private String bootstrapServers = "";
  private String name = "";
  private String topic = "";
  private @Nullable SerializableFunction<IN, String> topicSelector;
  private @Nullable FieldSerializer<IN> key;
  private @Nullable FieldSerializer<IN> value;
  private @Nullable KafkaHeaderProvider<IN> headers;
  private @Nullable SerializableFunction<IN, Long> timestamp;
  private @Nullable KafkaPartitioner<IN> partitioner;
  private @Nullable KafkaRecordMapper<IN> mapper;
  private Duration transactionTimeout = DEFAULT_TRANSACTION_TIMEOUT;
  private @Nullable String markerTopic;
  private boolean rewindDetection = true;
  private SinkOptions options = SinkOptions.defaults();
  private @Nullable DeliveryGuarantee guarantee;
  private KafkaClients clients = KafkaClients.real();

  private TransactionalKafkaSink() {}

  /** Begins with the defaults. */
  public static <IN> TransactionalKafkaSink<IN> builder() {
    return new TransactionalKafkaSink<>();
  }

  /**
   * Sets where to find the cluster, such as {@code host:port,host:port}: required.
   *
   * @throws IllegalArgumentException if that is not its form; does not show it, as there may be a
   *     password in it
   */
  public TransactionalKafkaSink<IN> setBootstrapServers(String value) {
    bootstrapServers = ServerList.checked(requireText("bootstrapServers", value));
    return this;
  }

  /**
   * Sets the sink's name, with which its transactional ids begin: required. It must be unique among
   * all running jobs that write to the cluster, and must not change between restores.
   *
   * @throws IllegalArgumentException if it is not valid by {@link TransactionId#checkSinkName}
   */
  public TransactionalKafkaSink<IN> setTransactionalIdPrefix(String value) {
    required("transactionalIdPrefix", value);
    try {
      name = TransactionId.checkSinkName(value);
    } catch (IllegalArgumentException invalid) {
      throw new IllegalArgumentException("transactionalIdPrefix: " + invalid.getMessage(), invalid);
    }
    return this;
  }

  /**
   * Sets the topic of all records. With a record mapper, which names the topics itself, it is only
   * checked before the job starts.
   *
   * @throws IllegalArgumentException if it is blank, or one of Kafka's own
   */
  public TransactionalKafkaSink<IN> setTopic(String value) {
    topic = requireTopic("topic", value);
    return this;
  }

  /**
   * Sets what tells the topic of each record, in place of {@link #setTopic}. Topics are then not
   * checked before the job starts.
   */
  public TransactionalKafkaSink<IN> setTopicSelector(SerializableFunction<IN, String> value) {
    topicSelector = required("topicSelector", value);
    return this;
  }

  /** Sets what makes the key; by default records have none. */
  public TransactionalKafkaSink<IN> setKeySerializer(SerializationSchema<IN> value) {
    key = new FieldSerializer.ByFlink<>(required("keySerializer", value));
    return this;
  }

  /** Sets one of Kafka's own serializers for the key. */
  public TransactionalKafkaSink<IN> setKeySerializer(
      Class<? extends Serializer<? super IN>> value) {
    return setKeySerializer(value, Map.of());
  }

  /**
   * Sets one of Kafka's own serializers for the key.
   *
   * @param config what its {@code configure} is given
   * @throws IllegalArgumentException if the class is abstract or has no constructor without
   *     arguments
   */
  public TransactionalKafkaSink<IN> setKeySerializer(
      Class<? extends Serializer<? super IN>> value, Map<String, String> config) {
    key =
        new KafkasSerializer<>(
            required("keySerializer", value),
            required("keySerializer's configuration", config),
            true);
    return this;
  }

  /** Sets what makes the value; null stands for a tombstone. Required. */
  public TransactionalKafkaSink<IN> setValueSerializer(SerializationSchema<IN> schema) {
    value = new FieldSerializer.ByFlink<>(required("valueSerializer", schema));
    return this;
  }

  /** Sets one of Kafka's own serializers for the value. */
  public TransactionalKafkaSink<IN> setValueSerializer(
      Class<? extends Serializer<? super IN>> type) {
    return setValueSerializer(type, Map.of());
  }

  /**
   * Sets one of Kafka's own serializers for the value.
   *
   * @param config what its {@code configure} is given
   * @throws IllegalArgumentException if the class is abstract or has no constructor without
   *     arguments
   */
  public TransactionalKafkaSink<IN> setValueSerializer(
      Class<? extends Serializer<? super IN>> type, Map<String, String> config) {
    value =
        new KafkasSerializer<>(
            required("valueSerializer", type),
            required("valueSerializer's configuration", config),
            false);
    return this;
  }

  /** Sets what makes the headers; by default there are none. */
  public TransactionalKafkaSink<IN> setHeaderProvider(KafkaHeaderProvider<IN> value) {
    headers = required("headerProvider", value);
    return this;
  }

  /**
   * Sets what tells the timestamp, in milliseconds since 1970; null for the time of writing. By
   * default it is the record's event time in Flink, if it has one that Kafka can express.
   */
  public TransactionalKafkaSink<IN> setTimestamp(SerializableFunction<IN, Long> value) {
    timestamp = required("timestamp", value);
    return this;
  }

  /** Sets what chooses the partition; by default Kafka does. */
  public TransactionalKafkaSink<IN> setPartitioner(KafkaPartitioner<IN> value) {
    partitioner = required("partitioner", value);
    return this;
  }

  /**
   * Makes whole records, in place of topic selector, serializers, headers, timestamp and
   * partitioner.
   */
  public TransactionalKafkaSink<IN> setRecordMapper(KafkaRecordMapper<IN> value) {
    mapper = required("recordMapper", value);
    return this;
  }

  /**
   * Sets the guarantee; default {@link DeliveryGuarantee#EXACTLY_ONCE}. Holds whatever {@link
   * #setOptions} says, and whichever is called first.
   */
  public TransactionalKafkaSink<IN> setDeliveryGuarantee(DeliveryGuarantee value) {
    guarantee = required("deliveryGuarantee", value);
    return this;
  }

  /**
   * Sets how long a transaction may take from its first record to its commit, restarts and outages
   * included; default 15 minutes. After that Kafka aborts it, and its records are lost. Brokers
   * allow at most their {@code transaction.max.timeout.ms}.
   */
  public TransactionalKafkaSink<IN> setTransactionTimeout(Duration value) {
    required("transactionTimeout", value);
    // Not in milliseconds, of which a long cannot hold as many as a Duration can.
    if (value.compareTo(Duration.ofMillis(1)) < 0
        || value.compareTo(Duration.ofMillis(Integer.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          "transactionTimeout is " + value + ": use 1 ms to " + Integer.MAX_VALUE + " ms");
    }
    transactionTimeout = value;
    return this;
  }

  /**
   * Sets a topic to which each transaction writes one small record, by which its outcome can be
   * proven later. For sinks to compacted topics, where compaction may remove the sink's own
   * records. The marker topic must not be compacted, and must keep records for longer than the
   * oldest savepoint that may be restored. No record of the job may go there.
   *
   * @throws IllegalArgumentException if it is blank, or one of Kafka's own
   */
  public TransactionalKafkaSink<IN> setMarkerTopic(String value) {
    markerTopic = requireTopic("markerTopic", value);
    return this;
  }

  /**
   * Sets whether a job that was taken back behind what it has published is recognised (R6); default
   * true. Each transaction then also writes an offset of the consumer group {@code
   * twophase.PREFIX.SUBTASK}, for which the user needs READ and DESCRIBE on such groups.
   */
  public TransactionalKafkaSink<IN> setRewindDetection(boolean value) {
    rewindDetection = value;
    return this;
  }

  /**
   * Sets time limits and policies, and the guarantee unless {@link #setDeliveryGuarantee} does;
   * default {@link SinkOptions#defaults()}.
   */
  public TransactionalKafkaSink<IN> setOptions(SinkOptions value) {
    options = required("options", value);
    return this;
  }

  /**
   * Sets a property of the Kafka clients, by its name in Kafka's documentation. Security settings
   * set here serve all clients of the sink.
   *
   * @throws IllegalArgumentException if the name is blank, the property has a setter of its own, or
   *     would break the guarantee
   */
  public TransactionalKafkaSink<IN> setProperty(String property, String setting) {
    String setter = RESERVED.get(requireText("property", property));
    required("property " + property, setting);
    if (setter != null) {
      throw new IllegalArgumentException(property + " is set by the sink: " + setter);
    }
    if (property.equals(ProducerConfig.ACKS_CONFIG)
        && !Set.of("all", "-1").contains(setting.trim())) {
      throw new IllegalArgumentException(
          property + " is " + setting + ": records could be lost; leave it at all");
    }
    if (property.equals(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG)
        && !setting.trim().equalsIgnoreCase("true")) {
      throw new IllegalArgumentException(
          property + " is " + setting + ": records could be duplicated; leave it at true");
    }
    properties.setProperty(property, setting);
    return this;
  }

  /**
   * Sets several properties, see {@link #setProperty}; their own defaults included. Values may be
   * strings, numbers, booleans and classes.
   *
   * @throws IllegalArgumentException as there, and if a value is of another type
   */
  public TransactionalKafkaSink<IN> setProperties(Properties several) {
    required("properties", several)
        .forEach((property, setting) -> setProperty(property.toString(), text(property, setting)));
    several.stringPropertyNames().forEach(each -> setProperty(each, several.getProperty(each)));
    return this;
  }

  private static String text(Object property, Object setting) {
    if (setting instanceof Class<?> type) {
      return type.getName();
    }
    if (setting instanceof String || setting instanceof Number || setting instanceof Boolean) {
      return setting.toString();
    }
    throw new IllegalArgumentException(
        property
            + " is a "
            + setting.getClass().getName()
            + ": give it as a string, as in a properties file");
  }

  /** For tests: clients that pass through the kit. */
  TransactionalKafkaSink<IN> setClients(KafkaClients value) {
    clients = value;
    return this;
  }

  /**
   * Makes the sink, for {@code stream.sinkTo(sink).uid("...")}.
   *
   * @throws IllegalStateException if something required was not set, or a client property is wrong
   */
  public TransactionalSink<IN, ?, ?> buildSink() {
    return TransactionalSink.of(checkedName(), buildConnector(), options());
  }

  /**
   * Makes the sink for Flink's older API, for {@link TransactionalSinkFunction#addTo}.
   *
   * @throws IllegalStateException if something required was not set, or a client property is wrong
   */
  public TransactionalSinkFunction<IN> buildFunction() {
    return TransactionalSinkFunction.of(checkedName(), buildConnector(), options());
  }

  /**
   * The connector alone, for the adapters and the test kit.
   *
   * @throws IllegalStateException if something required was not set, or a client property is wrong
   */
  public TransactionalConnector<IN, ?, ?> buildConnector() {
    checkedName();
    if (bootstrapServers.isEmpty()) {
      throw new IllegalStateException("Set where the cluster is: setBootstrapServers(\"...\")");
    }
    if (topic.equals(markerTopic)) {
      throw new IllegalStateException(
          "Both setTopic and setMarkerTopic name "
              + topic
              + ": readers would meet the sink's own records among the job's; name another marker"
              + " topic");
    }
    Properties all = new Properties();
    all.putAll(properties);
    all.setProperty(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    ClientProperties checked = new ClientProperties(all);
    checked.check(transactionTimeout, options().guarantee() == DeliveryGuarantee.EXACTLY_ONCE);
    return new KafkaConnector<>(
        new KafkaSettings<>(
            checked,
            recordMapper(),
            topic.isEmpty() ? List.of() : List.of(topic),
            transactionTimeout,
            markerTopic,
            rewindDetection,
            options().rewindPolicy(),
            clients));
  }

  private SinkOptions options() {
    return guarantee == null ? options : options.withGuarantee(guarantee);
  }

  private KafkaRecordMapper<IN> recordMapper() {
    KafkaRecordMapper<IN> whole = mapper;
    if (whole == null) {
      return fieldMapper();
    }
    refuseBesideMapper("setTopicSelector", topicSelector);
    refuseBesideMapper("setKeySerializer", key);
    refuseBesideMapper("setValueSerializer", value);
    refuseBesideMapper("setHeaderProvider", headers);
    refuseBesideMapper("setTimestamp", timestamp);
    refuseBesideMapper("setPartitioner", partitioner);
    return whole;
  }

  private static void refuseBesideMapper(String setter, @Nullable Object part) {
    if (part != null) {
      throw new IllegalStateException(
          "Both setRecordMapper and "
              + setter
              + " are set, and the mapper makes the whole record: leave one of them out");
    }
  }

  private KafkaRecordMapper<IN> fieldMapper() {
    SerializableFunction<IN, String> selector = topicSelector;
    if (selector != null && !topic.isEmpty()) {
      throw new IllegalStateException(
          "Both setTopic(\""
              + topic
              + "\") and setTopicSelector are set: leave one of them out; a selector may return"
              + " the topic itself");
    }
    if (selector == null) {
      if (topic.isEmpty()) {
        throw new IllegalStateException(
            "Set where records go: setTopic(\"...\"), setTopicSelector or setRecordMapper");
      }
      String fixed = topic;
      selector = record -> fixed;
    }
    if (value == null) {
      throw new IllegalStateException(
          "Set what makes a record's value: setValueSerializer or setRecordMapper");
    }
    return new FieldMapper<>(
        new FieldMapper.Parts<>(selector, key, value, headers, timestamp, partitioner));
  }

  private String checkedName() {
    if (name.isEmpty()) {
      throw new IllegalStateException("Set the sink's name: setTransactionalIdPrefix(\"...\")");
    }
    return name;
  }

  private static <T> T required(String setting, @Nullable T value) {
    return Objects.requireNonNull(value, () -> setting + " is null: give it a value");
  }

  private static String requireTopic(String setting, String value) {
    if (TopicName.isInternal(requireText(setting, value))) {
      throw new IllegalArgumentException(
          setting + " is " + value + ", which is Kafka's own: name a topic of yours");
    }
    return value;
  }

  private static String requireText(String setting, String value) {
    if (required(setting, value).isBlank()) {
      throw new IllegalArgumentException(setting + " is blank: give it a value");
    }
    return value;
  }
}
