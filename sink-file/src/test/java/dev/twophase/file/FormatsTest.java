package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStream;
import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.testkit.connector.DrivenConnector;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.io.IOUtils;
import org.apache.flink.api.common.serialization.BulkWriter;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.formats.parquet.ParquetWriterFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.example.GroupWriteSupport;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Formats other than plain rows, read back by programs that know nothing of this library. */
class FormatsTest {

  private static final int RECORDS = 20_000;

  @TempDir Path root;

  @Test
  void W1_parquetFilesAreReadBackByAnIndependentReaderRolledBySizeToo() throws Exception {
    publish(
        TransactionalFileSink.forBulk(root, new Orders())
            .suffix(".parquet")
            .rollAtBytes(20_000)
            .bucketAssigner(new Sinks.BeforeColon()),
        IntStream.range(0, RECORDS).mapToObj(i -> i % 2 + ":" + i).toArray(String[]::new));

    assertThat(Sinks.visible(root)).hasSizeGreaterThan(2);
    assertThat(read("SELECT count(*), count(DISTINCT text), min(bucket), max(bucket)"))
        .isEqualTo(List.of((long) RECORDS, (long) RECORDS, "0", "1"));
    assertThat(read("SELECT sum(CAST(split_part(text, ':', 2) AS BIGINT))::BIGINT"))
        .isEqualTo(List.of((long) RECORDS * (RECORDS - 1) / 2));
  }

  @Test
  void W2_manySmallParquetFilesAreFinishedTogetherUnderATightMemoryCap() throws Exception {
    int buckets = 200;
    publish(
        TransactionalFileSink.forBulk(root, new Orders())
            .bufferMemory(4_096)
            .bucketAssigner(new Sinks.BeforeColon())
            .suffix(".parquet"),
        IntStream.range(0, buckets * 3)
            .mapToObj(i -> i % buckets + ":" + i)
            .toArray(String[]::new));

    assertThat(Sinks.visible(root)).hasSize(buckets);
    assertThat(read("SELECT count(DISTINCT text)")).isEqualTo(List.of(buckets * 3L));
  }

  @Test
  void W1_whatAFormatHoldsBackIsWrittenInItsOwnPieces() throws Exception {
    AtomicInteger writes = new AtomicInteger();
    ScriptedStorage.Script count =
        call -> writes.addAndGet(call.endsWith(" write") && call.contains(".orders.") ? 1 : 0);
    publish(
        Sinks.on(
            ScriptedStorage.following(count), TransactionalFileSink.forBulk(root, HeldBack::new)),
        "first");

    assertThat(Files.size(onlyFile(""))).isEqualTo(4 + HeldBack.PIECES * HeldBack.BYTES);
    assertThat(writes).hasValue(1 + HeldBack.PIECES);
  }

  /** Begins with a few bytes, and writes the rest when the file ends, as Parquet does. */
  private record HeldBack(FSDataOutputStream file) implements BulkWriter<String> {

    static final int PIECES = 100;
    static final int BYTES = 25_000;

    @Override
    public void addElement(String element) throws IOException {
      file.write(new byte[] {'P', 'A', 'R', '1'});
    }

    @Override
    public void flush() {}

    @Override
    public void finish() throws IOException {
      for (int piece = 0; piece < PIECES; piece++) {
        file.write(new byte[BYTES]);
      }
    }
  }

  @Test
  void W1_gzipRowsAreOneStreamToAReader() throws Exception {
    String[] lines = lines(200_000);
    publish(TransactionalFileSink.forLines(root).compression(Compression.GZIP), lines);

    Path file = onlyFile(".gz");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      assertThat(IOUtils.readLines(in, StandardCharsets.UTF_8)).isEqualTo(List.of(lines));
    }
  }

  @Test
  void W1_zstdRowsAreOneStreamToAReader() throws Exception {
    String[] lines = lines(200_000);
    publish(
        TransactionalFileSink.forLines(root).suffix(".txt").compression(Compression.ZSTD), lines);

    Path file = onlyFile(".txt.zst");
    try (InputStream in = new ZstdInputStream(Files.newInputStream(file)).setContinuous(true)) {
      assertThat(IOUtils.readLines(in, StandardCharsets.UTF_8)).isEqualTo(List.of(lines));
    }
  }

  @Test
  void aTornTailLeavesWholeRowsBeforeIt() throws Exception {
    String[] lines = lines(200_000);
    publish(TransactionalFileSink.forLines(root).compression(Compression.GZIP), lines);
    byte[] whole = Files.readAllBytes(onlyFile(".gz"));
    byte[] torn = Arrays.copyOf(whole, whole.length - 100);

    List<String> read = new ArrayList<>();
    assertThatThrownBy(() -> readLines(torn, read)).isInstanceOf(EOFException.class);

    assertThat(read).hasSizeGreaterThan(lines.length / 4);
    assertThat(read).isEqualTo(Arrays.asList(lines).subList(0, read.size()));
  }

  @Test
  void bulkFormatsRefuseTheCompressionOfRows() {
    assertThatThrownBy(
            () -> TransactionalFileSink.forBulk(root, new Orders()).compression(Compression.GZIP))
        .hasMessageContaining("compression is GZIP, but for rows only");
  }

  private static void readLines(byte[] bytes, List<String> into) throws IOException {
    StringBuilder line = new StringBuilder();
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      for (int value = in.read(); value >= 0; value = in.read()) {
        if (value == '\n') {
          into.add(line.toString());
          line.setLength(0);
        } else {
          line.append((char) value);
        }
      }
    }
  }

  private static String[] lines(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "line " + i + " " + Integer.toHexString(i * 0x9E3779B9) + "-".repeat(30))
        .toArray(String[]::new);
  }

  private void publish(TransactionalFileSink<String> sink, String... records) throws Exception {
    TransactionalConnector<String, ?, ?> connector = sink.name("orders").buildConnector();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(connector, "orders");
        DrivenConnector<String, ?, ?> committer = Sinks.committer(connector, "orders")) {
      assertThat(committer.commit(writer.prepare(1, records))).isEqualTo(CommitOutcome.committed());
    }
  }

  private Path onlyFile(String suffix) {
    assertThat(Sinks.visible(root)).hasSize(1);
    Path file = root.resolve(Sinks.visible(root).get(0));
    assertThat(file.toString()).endsWith(suffix);
    return file;
  }

  /** The first row, by a database with a Parquet reader of its own. */
  private List<Object> read(String select) throws Exception {
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        ResultSet rows =
            database
                .createStatement()
                .executeQuery(select + " FROM read_parquet('" + root + "/**/*.parquet')")) {
      assertThat(rows.next()).isTrue();
      List<Object> row = new ArrayList<>();
      for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
        row.add(rows.getObject(column));
      }
      return row;
    }
  }

  /** Parquet by Flink's factory: the bucket and the text of a record. */
  @SuppressWarnings("deprecation") // What replaces it is not in the Parquet of Flink 1.20.
  private static final class Orders implements BulkWriter.Factory<String> {

    private static final int ROW_GROUP_BYTES = 10_000;

    @Override
    public BulkWriter<String> create(org.apache.flink.core.fs.FSDataOutputStream out)
        throws IOException {
      return new ParquetWriterFactory<String>(file -> new Builder(file).build()).create(out);
    }

    private static final class Builder extends ParquetWriter.Builder<String, Builder> {

      Builder(OutputFile file) {
        super(file);
        withRowGroupSize((long) ROW_GROUP_BYTES);
        withPageSize(ROW_GROUP_BYTES / 2);
        withMinRowCountForPageSizeCheck(100);
        withWriterVersion(ParquetProperties.WriterVersion.PARQUET_1_0);
      }

      @Override
      protected Builder self() {
        return this;
      }

      @Override
      protected WriteSupport<String> getWriteSupport(Configuration configuration) {
        return new Support();
      }
    }

    private static final class Support extends WriteSupport<String> {

      private static final MessageType SCHEMA =
          MessageTypeParser.parseMessageType(
              "message order { required binary bucket (UTF8); required binary text (UTF8); }");

      private final SimpleGroupFactory groups = new SimpleGroupFactory(SCHEMA);
      private final GroupWriteSupport support = new GroupWriteSupport();

      @Override
      public WriteContext init(Configuration configuration) {
        GroupWriteSupport.setSchema(SCHEMA, configuration);
        return support.init(configuration);
      }

      @Override
      public void prepareForWrite(RecordConsumer consumer) {
        support.prepareForWrite(consumer);
      }

      @Override
      public void write(String record) {
        Group group = groups.newGroup();
        group.add("bucket", record.substring(0, record.indexOf(':')));
        group.add("text", record);
        support.write(group);
      }
    }
  }
}
