package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.testkit.connector.DrivenConnector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.common.serialization.BulkWriter;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.formats.avro.AvroWriters;
import org.apache.flink.orc.vector.Vectorizer;
import org.apache.flink.orc.writer.OrcBulkWriterFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.exec.vector.BytesColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bulk formats besides Parquet by Flink's own factories, rolled by size, and read back. */
class AvroAndOrcTest {

  private static final String[] RECORDS =
      IntStream.range(0, 20_000)
          .mapToObj(i -> i % 2 + ":" + Integer.toHexString(i * 0x9E3779B9) + "-" + i)
          .toArray(String[]::new);

  @TempDir Path root;

  @Test
  void W1_avroFilesRollBySizeAndAreReadBack() throws Exception {
    publish(TransactionalFileSink.forBulk(root, new Avro()).suffix(".avro").rollAtBytes(50_000));

    List<String> read = new ArrayList<>();
    for (Path file : severalFiles()) {
      try (DataFileReader<GenericRecord> records =
          new DataFileReader<>(file.toFile(), new GenericDatumReader<>())) {
        records.forEach(found -> read.add(found.get("text").toString()));
      }
    }
    assertThat(read).containsExactlyInAnyOrder(RECORDS);
  }

  @Test
  void W1_orcFilesAreReadBack() throws Exception {
    Properties uncompressed = new Properties();
    uncompressed.setProperty("orc.compress", "NONE");
    BulkWriter.Factory<String> orc =
        new OrcBulkWriterFactory<>(new Texts(), uncompressed, new Configuration(false));
    publish(TransactionalFileSink.forBulk(root, orc).suffix(".orc").rollAtRecords(4_000));

    List<String> read = new ArrayList<>();
    for (Path file : severalFiles()) {
      Reader reader =
          OrcFile.createReader(
              new org.apache.hadoop.fs.Path(file.toUri()),
              OrcFile.readerOptions(new Configuration(false)));
      VectorizedRowBatch batch = reader.getSchema().createRowBatch();
      try (RecordReader rows = reader.rows()) {
        while (rows.nextBatch(batch)) {
          BytesColumnVector texts = (BytesColumnVector) batch.cols[0];
          for (int row = 0; row < batch.size; row++) {
            read.add(texts.toString(row));
          }
        }
      }
    }
    assertThat(read).containsExactlyInAnyOrder(RECORDS);
  }

  private void publish(TransactionalFileSink<String> sink) throws Exception {
    TransactionalConnector<String, ?, ?> connector =
        sink.name("orders").bucketAssigner(new Sinks.BeforeColon()).buildConnector();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(connector, "orders");
        DrivenConnector<String, ?, ?> committer = Sinks.committer(connector, "orders")) {
      assertThat(committer.commit(writer.prepare(1, RECORDS))).isEqualTo(CommitOutcome.committed());
    }
  }

  private List<Path> severalFiles() {
    List<Path> files = Sinks.visible(root).stream().map(root::resolve).toList();
    assertThat(files).hasSizeGreaterThan(4).allMatch(Files::isRegularFile);
    return files;
  }

  /** Flink's Avro writer, for texts. */
  private static final class Avro implements BulkWriter.Factory<String> {

    private static final String SCHEMA =
        """
        {"type": "record", "name": "Line", "fields": [{"name": "text", "type": "string"}]}
        """;

    @Override
    public BulkWriter<String> create(FSDataOutputStream out) throws IOException {
      Schema schema = new Schema.Parser().parse(SCHEMA);
      BulkWriter<GenericRecord> records = AvroWriters.forGenericRecord(schema).create(out);
      return new BulkWriter<>() {
        @Override
        public void addElement(String text) throws IOException {
          GenericRecord line = new GenericData.Record(schema);
          line.put("text", text);
          records.addElement(line);
        }

        @Override
        public void flush() throws IOException {
          records.flush();
        }

        @Override
        public void finish() throws IOException {
          records.finish();
        }
      };
    }
  }

  private static final class Texts extends Vectorizer<String> {

    Texts() {
      super("struct<text:string>");
    }

    @Override
    public void vectorize(String text, VectorizedRowBatch batch) {
      BytesColumnVector texts = (BytesColumnVector) batch.cols[0];
      texts.setVal(batch.size++, text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
