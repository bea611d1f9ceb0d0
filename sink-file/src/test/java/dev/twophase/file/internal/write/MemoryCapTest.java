package dev.twophase.file.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.file.internal.publish.FileHandle;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.storage.IoPool;
import dev.twophase.file.internal.storage.LocalStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.SimpleVersionedStringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One cap for the buffers of all open files. */
class MemoryCapTest {

  private static final int CAP = 128 << 10;

  @TempDir Path directory;
  private final BufferPool buffers = new BufferPool(CAP);
  private final SimpleCounter bytes = new SimpleCounter();
  private IoPool pool;
  private FileWriter<String> writer;

  @BeforeEach
  void open() throws Exception {
    Files.createDirectories(directory.resolve(FileNames.stagingDirectory("orders")));
    pool = new IoPool(4, "test");
    writer =
        new FileWriter<>(
            new LocalStorage(directory),
            pool,
            new FileNames("part", ""),
            new Rows<>(new SimpleStringEncoder<>()),
            new FirstWord(),
            new Rolling(Rolling.NEVER, Rolling.NEVER, Rolling.NEVER),
            buffers,
            Optional.empty(),
            Optional.empty(),
            bytes,
            1);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void S3_manyBucketsNeverTakeMoreThanTheCapTogether() throws Exception {
    Random random = new Random(1);
    long written = 0;
    long most = 0;
    for (int since = 1; since <= 3; since++) {
      FileTransaction transaction = writer.begin(id(since));
      int buckets = 100 * since * since;
      for (int i = 0; i < 20_000; i++) {
        String record = random.nextInt(buckets) + " " + "x".repeat(random.nextInt(60));
        writer.write(transaction, record, NO_CONTEXT);
        written += record.length() + 1;
        most = Math.max(most, buffers.footprint());
      }
      assertThat(writer.preCommit(transaction).orElseThrow().files()).hasSize(buckets);
      assertThat(bytes.getCount()).isEqualTo(written);
    }
    assertThat(bytesOnDisk()).isEqualTo(written);
    assertThat(most).isBetween(CAP / 2L, (long) CAP);
  }

  @Test
  void S3_oneBusyBucketAmongManyGetsItsFairShare() throws Exception {
    FileTransaction transaction = writer.begin(id(1));
    for (int i = 0; i < 32; i++) {
      writer.write(transaction, i + " " + "x".repeat(3_900), NO_CONTEXT);
    }
    for (int i = 0; i < 1_000; i++) {
      writer.write(transaction, "late " + "x".repeat(90), NO_CONTEXT);
    }

    assertThat(buffers.footprint()).isLessThanOrEqualTo(CAP);
    assertThat(transaction.file("late").bufferSize())
        .isBetween(buffers.fairShare(33), 2 * buffers.fairShare(33));
  }

  @Test
  void S3_buffersServeAgainInTheNextTransaction() throws Exception {
    for (int since = 1; since <= 100; since++) {
      FileTransaction transaction = writer.begin(id(since));
      writer.write(transaction, "a " + "x".repeat(60_000), NO_CONTEXT);
      writer.preCommit(transaction);
    }
    assertThat(buffers.footprint()).isEqualTo(2L * BufferPool.LARGEST - BufferPool.SMALLEST);
  }

  @Test
  void W1_whatIsLargerThanEveryBufferIsWrittenInItsPlaceWithoutOne() throws Exception {
    FileTransaction transaction = writer.begin(id(1));
    List<String> records =
        List.of("a first", "a " + "x".repeat(BufferPool.LARGEST), "a second", "a last");
    for (String record : records) {
      writer.write(transaction, record, NO_CONTEXT);
    }
    FileHandle handle = writer.preCommit(transaction).orElseThrow();

    assertThat(buffers.footprint()).isEqualTo(BufferPool.SMALLEST);
    Path staged = directory.resolve(FileNames.stagingDirectory("orders")).resolve(staged());
    assertThat(Files.readAllLines(staged)).isEqualTo(records);
    CRC32C checksum = new CRC32C();
    checksum.update(Files.readAllBytes(staged));
    assertThat(handle.files().get(0).checksum()).isEqualTo((int) checksum.getValue());
  }

  private String staged() {
    String[] names = directory.resolve(FileNames.stagingDirectory("orders")).toFile().list();
    assertThat(names).hasSize(1);
    return names[0];
  }

  private static TransactionId id(long since) {
    return new TransactionId("orders", 0, since, UUID.randomUUID());
  }

  private long bytesOnDisk() throws Exception {
    try (var files = Files.list(directory.resolve(FileNames.stagingDirectory("orders")))) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static final WriteContext NO_CONTEXT =
      new WriteContext() {
        @Override
        public Long timestamp() {
          return null;
        }

        @Override
        public long currentWatermark() {
          return 0;
        }

        @Override
        public long currentProcessingTime() {
          return 0;
        }
      };

  private static final class FirstWord implements BucketAssigner<String, String> {
    @Override
    public String getBucketId(String record, Context context) {
      return record.substring(0, record.indexOf(' '));
    }

    @Override
    public SimpleVersionedStringSerializer getSerializer() {
      return SimpleVersionedStringSerializer.INSTANCE;
    }
  }
}
