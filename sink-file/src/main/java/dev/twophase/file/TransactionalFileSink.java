package dev.twophase.file;

import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.file.internal.Directories;
import dev.twophase.file.internal.FileConnector;
import dev.twophase.file.internal.FileSettings;
import dev.twophase.file.internal.bucket.BucketNames;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.storage.StorageFactory;
import dev.twophase.file.internal.write.BufferPool;
import dev.twophase.file.internal.write.Bulk;
import dev.twophase.file.internal.write.CompressedRows;
import dev.twophase.file.internal.write.FileFormat;
import dev.twophase.file.internal.write.Rolling;
import dev.twophase.file.internal.write.Rows;
import dev.twophase.file.manifest.ManifestReader;
import dev.twophase.flink.TransactionalSink;
import dev.twophase.flink.TransactionalSinkFunction;
import dev.twophase.policy.RewindPolicy;
import dev.twophase.policy.SinkOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.serialization.BulkWriter;
import org.apache.flink.api.common.serialization.Encoder;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to files, exactly once. A file appears under its visible name when the checkpoint
 * that covers it is complete, whole and synced to disk, and is never changed or overwritten
 * afterwards. Every checkpoint ends the files of its interval; between checkpoints they roll by
 * size, age or number of records.
 *
 * <pre>{@code
 * TransactionalFileSink.forLines(Path.of("/data/orders"))
 *     .name("orders")
 *     .bucketAssigner(new DateTimeBucketAssigner<>("yyyy-MM-dd"))
 *     .suffix(".txt")
 *     .buildSink();
 * }</pre>
 *
 * <p>Published files are called {@code BUCKET/PREFIX.SINK.SUBTASK.CHECKPOINT.NONCE.PART SUFFIX};
 * what is not yet published lies in the hidden directory {@code .twophase} at the top of the sink's
 * directory, which readers and clean-up jobs must leave alone. Each bucket must be on the file
 * system of that directory.
 *
 * <p>Several sinks and jobs may share a directory if their names differ. Readers may begin with a
 * file as soon as they see it, but should leave it in place for a few checkpoints: a commit that is
 * repeated after a crash and finds a file neither staged nor published reports it as lost.
 *
 * <p>Not thread-safe; may be used again, for instance under another name.
 *
 * @param <T> type of the records
 */
public final class TransactionalFileSink<T> {

  /** Default of {@link #bufferMemory}: 32 MiB. */
  public static final long DEFAULT_BUFFER_MEMORY = 32L << 20;

  /** Default of {@link #rollAtBytes}: 128 MiB. */
  public static final long DEFAULT_ROLL_BYTES = 128L << 20;

  /** Default of {@link #ioThreads}. */
  public static final int DEFAULT_IO_THREADS = 32;

  private static final int MAX_IO_THREADS = 256;
  private static final Duration SHORTEST_AGE = Duration.ofMillis(1);
  private static final Duration LONGEST_AGE = Duration.ofDays(36_500);
  private static final int MAX_AFFIX_BYTES = 60;

  private final URI directory;
  private final @Nullable Encoder<T> encoder;
  private final BulkWriter.@Nullable Factory<T> bulk;
  private @Nullable Compression compression;
  private String name = "";
  private BucketAssigner<T, String> bucketAssigner = new BasePathBucketAssigner<>();
  private String prefix = "part";
  private String suffix = "";
  private Rolling rolling = new Rolling(DEFAULT_ROLL_BYTES, Rolling.NEVER, Rolling.NEVER);
  private long bufferMemory = DEFAULT_BUFFER_MEMORY;
  private int ioThreads = DEFAULT_IO_THREADS;
  private boolean manifests;
  private @Nullable BucketMarker marker;
  private SinkOptions options = SinkOptions.defaults();
  private final Map<String, String> hadoopOptions = new HashMap<>();
  private @Nullable StorageFactory storageFactory;

  private TransactionalFileSink(
      URI directory, @Nullable Encoder<T> encoder, BulkWriter.@Nullable Factory<T> bulk) {
    this.directory = directory;
    this.encoder = encoder;
    this.bulk = bulk;
    Directories.check(directory);
  }

  /**
   * Rows, written one after the other by an encoder.
   *
   * @param directory an absolute URI: {@code file:}, on a file system that all TaskManagers share,
   *     or {@code hdfs:} and other Hadoop file systems that rename in one step
   * @throws IllegalArgumentException if the file system does not, as object stores
   */
  public static <T> TransactionalFileSink<T> forRows(URI directory, Encoder<T> encoder) {
    return new TransactionalFileSink<>(directory, Objects.requireNonNull(encoder, "encoder"), null);
  }

  /**
   * Rows, written one after the other by an encoder.
   *
   * @param directory made absolute here, where the job is built
   */
  public static <T> TransactionalFileSink<T> forRows(Path directory, Encoder<T> encoder) {
    return forRows(directory.toAbsolutePath().normalize().toUri(), encoder);
  }

  /**
   * Files of a bulk format, such as Parquet or Avro, by one of Flink's bulk writers. They roll by
   * size too: what counts is what the format has let go of, for Parquet whole row groups.
   *
   * @param directory as in {@link #forRows(URI, Encoder)}
   * @throws IllegalArgumentException as there
   */
  public static <T> TransactionalFileSink<T> forBulk(URI directory, BulkWriter.Factory<T> format) {
    return new TransactionalFileSink<>(directory, null, Objects.requireNonNull(format, "format"));
  }

  /**
   * Files of a bulk format, see {@link #forBulk(URI, BulkWriter.Factory)}.
   *
   * @param directory made absolute here, where the job is built
   */
  public static <T> TransactionalFileSink<T> forBulk(Path directory, BulkWriter.Factory<T> format) {
    return forBulk(directory.toAbsolutePath().normalize().toUri(), format);
  }

  /** Lines in UTF-8, see {@link LineEncoder}. */
  public static TransactionalFileSink<String> forLines(Path directory) {
    return forRows(directory, new LineEncoder<>());
  }

  /**
   * Lines in UTF-8, see {@link LineEncoder}.
   *
   * @param directory as in {@link #forRows(URI, Encoder)}
   * @throws IllegalArgumentException as there
   */
  public static TransactionalFileSink<String> forLines(URI directory) {
    return forRows(directory, new LineEncoder<>());
  }

  /**
   * Sets an option of Hadoop's client, on top of {@code core-site.xml} and {@code hdfs-site.xml} on
   * the class path of the TaskManagers. Without effect on {@code file:} directories. Options travel
   * with the job in clear text: no secrets (S2).
   */
  public TransactionalFileSink<T> hadoopOption(String key, String value) {
    hadoopOptions.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    return this;
  }

  /**
   * Sets the sink's name, which must not change between restores: required.
   *
   * @throws IllegalArgumentException if it is not valid by {@link TransactionId#checkSinkName}
   */
  public TransactionalFileSink<T> name(String value) {
    name = TransactionId.checkSinkName(value);
    return this;
  }

  /**
   * Sets what tells the bucket of a record: a relative path of plain components, or empty for the
   * directory itself (the default for all records). Anything else fails the task, naming the
   * bucket: control characters, components that begin with a dot, {@code _manifests} and {@code
   * _retired} as the first one, and symbolic links that lead out of the directory.
   */
  public TransactionalFileSink<T> bucketAssigner(BucketAssigner<T, String> value) {
    bucketAssigner = Objects.requireNonNull(value, "bucketAssigner");
    return this;
  }

  /**
   * Sets the first component of published names; default {@code part}. May be empty.
   *
   * @throws IllegalArgumentException if it contains a dot, a separator or a control character,
   *     begins with {@code _}, or is longer than 60 bytes
   */
  public TransactionalFileSink<T> prefix(String value) {
    checkAffix("prefix", value);
    if (value.indexOf('.') >= 0) {
      throw new IllegalArgumentException(
          "prefix is '" + value + "': use one without dots, which separate the parts of a name");
    }
    if (value.startsWith("_")) {
      throw new IllegalArgumentException(
          "prefix is '" + value + "': use one that does not begin with _, which readers pass over");
    }
    prefix = value;
    return this;
  }

  /**
   * Sets the end of published names, for instance {@code .csv}; default empty.
   *
   * @throws IllegalArgumentException if it begins with a digit, contains a separator or a control
   *     character, or is longer than 60 bytes
   */
  public TransactionalFileSink<T> suffix(String value) {
    checkAffix("suffix", value);
    if (!value.isEmpty() && Character.isDigit(value.charAt(0))) {
      throw new IllegalArgumentException(
          "suffix is '" + value + "': begin it with something other than a digit, such as a dot");
    }
    suffix = value;
    return this;
  }

  /**
   * Compresses rows and adds to the suffix what tells so; default none. Bulk formats compress by
   * themselves.
   *
   * @throws IllegalStateException if the format is not rows
   */
  public TransactionalFileSink<T> compression(Compression value) {
    if (encoder == null) {
      throw new IllegalStateException(
          "compression is "
              + value
              + ", but for rows only: choose that of a bulk format where its factory is made");
    }
    compression = Objects.requireNonNull(value, "compression");
    return this;
  }

  /**
   * Sets the size at which a file is closed and the next begun; default {@value
   * #DEFAULT_ROLL_BYTES}. A file may be longer by one record.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TransactionalFileSink<T> rollAtBytes(long value) {
    requirePositive("rollAtBytes", value);
    rolling = new Rolling(value, rolling.maxRecords(), rolling.maxAgeMillis());
    return this;
  }

  /**
   * Sets the number of records at which a file is closed and the next begun; default none.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TransactionalFileSink<T> rollAtRecords(long value) {
    requirePositive("rollAtRecords", value);
    rolling = new Rolling(rolling.maxBytes(), value, rolling.maxAgeMillis());
    return this;
  }

  /**
   * Sets the age, in processing time since its first record, at which a file is closed; default
   * none. Looked at when a record arrives; checkpoints close files anyway.
   *
   * @throws IllegalArgumentException if it is out of bounds, which the message names
   */
  public TransactionalFileSink<T> rollAtAge(Duration value) {
    if (value.compareTo(SHORTEST_AGE) < 0 || value.compareTo(LONGEST_AGE) > 0) {
      throw new IllegalArgumentException(
          "rollAtAge is " + value + ": use " + SHORTEST_AGE + " to " + LONGEST_AGE);
    }
    rolling = new Rolling(rolling.maxBytes(), rolling.maxRecords(), value.toMillis());
    return this;
  }

  /**
   * Sets the most memory, in bytes, that the buffers of all open files of a subtask take together;
   * default {@value #DEFAULT_BUFFER_MEMORY}. With many open buckets buffers get smaller and are
   * written more often.
   *
   * @throws IllegalArgumentException if it is less than the least that the message names
   */
  public TransactionalFileSink<T> bufferMemory(long value) {
    if (value < BufferPool.SMALLEST) {
      throw new IllegalArgumentException(
          "bufferMemory is " + value + ": use at least " + BufferPool.SMALLEST + " bytes");
    }
    bufferMemory = value;
    return this;
  }

  /**
   * Sets how many files a subtask syncs and publishes at once; default {@value
   * #DEFAULT_IO_THREADS}. The threads live only while there is work; with 1 there are none, and the
   * task's own thread does everything.
   *
   * @throws IllegalArgumentException if it is not positive, or above the most that the message
   *     names
   */
  public TransactionalFileSink<T> ioThreads(int value) {
    requirePositive("ioThreads", value);
    if (value > MAX_IO_THREADS) {
      throw new IllegalArgumentException(
          "ioThreads is " + value + ": use at most " + MAX_IO_THREADS);
    }
    ioThreads = value;
    return this;
  }

  /**
   * Leaves, with each checkpoint, a list of the files of every subtask below {@code _manifests}, so
   * that a {@link ManifestReader} sees whole checkpoints only. Needs EXACTLY_ONCE. One small file
   * more per checkpoint and subtask, also where there were no records; those of a thousand
   * checkpoints share a directory.
   */
  public TransactionalFileSink<T> manifests() {
    manifests = true;
    return this;
  }

  /**
   * Leaves an empty file, such as {@code _SUCCESS}, in each bucket once it is complete, see {@link
   * BucketMarker}. Includes {@link #manifests}.
   */
  public TransactionalFileSink<T> marker(BucketMarker value) {
    marker = Objects.requireNonNull(value, "marker");
    return manifests();
  }

  /** Sets guarantee, time limits and policies; default {@link SinkOptions#defaults()}. */
  public TransactionalFileSink<T> options(SinkOptions value) {
    options = Objects.requireNonNull(value, "options");
    return this;
  }

  /** For tests: another storage behind the same directory. */
  TransactionalFileSink<T> storageFactory(StorageFactory value) {
    storageFactory = value;
    return this;
  }

  /**
   * Makes the sink, for {@code stream.sinkTo(sink).uid("...")}.
   *
   * @throws IllegalStateException if no name was set, prefix, name and suffix together are too long
   *     for a file's name, or there are manifests without EXACTLY_ONCE
   */
  public TransactionalSink<T, ?, ?> buildSink() {
    return TransactionalSink.of(name, buildConnector(), options);
  }

  /**
   * Makes the sink for Flink's older API, for {@link TransactionalSinkFunction#addTo}.
   *
   * @throws IllegalStateException if no name was set, prefix, name and suffix together are too long
   *     for a file's name, or there are manifests without EXACTLY_ONCE
   */
  public TransactionalSinkFunction<T> buildFunction() {
    return TransactionalSinkFunction.of(name, buildConnector(), options);
  }

  /**
   * The connector alone, for the adapters and the test kit.
   *
   * @throws IllegalStateException if no name was set, prefix, name and suffix together are too long
   *     for a file's name, or there are manifests without EXACTLY_ONCE
   */
  public TransactionalConnector<T, ?, ?> buildConnector() {
    if (name.isEmpty()) {
      throw new IllegalStateException("name is not set: give the sink one by name(\"...\")");
    }
    if (manifests && options.guarantee() != DeliveryGuarantee.EXACTLY_ONCE) {
      throw new IllegalStateException(
          "manifests list what a checkpoint has published, but the guarantee is "
              + options.guarantee()
              + ": use EXACTLY_ONCE, or no manifests");
    }
    FileNames names =
        new FileNames(prefix, compression == null ? suffix : suffix + compression.suffix());
    if (names.longest(name) > FileNames.MAX_NAME_BYTES) {
      throw new IllegalStateException(
          "prefix, name and suffix are '"
              + prefix
              + "', '"
              + name
              + "' and '"
              + names.suffix()
              + "': published files would get names of up to "
              + names.longest(name)
              + " bytes; shorten them by "
              + (names.longest(name) - FileNames.MAX_NAME_BYTES));
    }
    return new FileConnector<>(
        new FileSettings<>(
            directory,
            format(),
            bucketAssigner,
            names,
            rolling,
            bufferMemory,
            ioThreads,
            manifests,
            marker,
            options.lossPolicy().quarantine().isPresent(),
            options.rewindPolicy() == RewindPolicy.ACCEPT,
            storageFactory != null
                ? storageFactory
                : Directories.storage(directory, hadoopOptions)));
  }

  private FileFormat<T> format() {
    if (bulk != null) {
      return new Bulk<>(bulk);
    }
    Encoder<T> rows = Objects.requireNonNull(encoder);
    return compression == null ? new Rows<>(rows) : new CompressedRows<>(rows, compression.codec());
  }

  private static void checkAffix(String setting, String value) {
    if (value.chars().anyMatch(c -> c == '/' || c == '\\' || Character.isISOControl(c))) {
      throw new IllegalArgumentException(
          setting
              + " is '"
              + BucketNames.printable(value)
              + "': use one without separators and control characters");
    }
    if (value.getBytes(StandardCharsets.UTF_8).length > MAX_AFFIX_BYTES) {
      throw new IllegalArgumentException(
          setting + " is '" + value + "': use at most " + MAX_AFFIX_BYTES + " bytes");
    }
  }

  private static void requirePositive(String setting, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(setting + " is " + value + ": use a positive value");
    }
  }
}
