package dev.twophase.examples.kafka;

import dev.twophase.examples.lines.LineCursor;
import dev.twophase.examples.lines.LineIndex;
import dev.twophase.examples.lines.Pace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Fills the input topic at the pace it is given, each line once: position, tab, file, tab, line
 * number, tab, text. It is no part of the job and does not fail with it.
 */
public final class Feeder implements AutoCloseable {

  private static final long LOOK_AGAIN_MILLIS = 5;

  private final LineIndex index;
  private final Pace pace;
  private final Topics topics;
  private final Thread thread = new Thread(this::run, "feeder");
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  public Feeder(LineIndex index, Pace pace, Topics topics) {
    this.index = index;
    this.pace = pace;
    this.topics = topics;
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /** Passes on what has stopped it, if something has. */
  public void check() throws IOException {
    Exception stopped = failure.get();
    if (stopped != null) {
      throw new IOException("The input topic cannot be filled: " + stopped, stopped);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void run() {
    try (LineCursor lines = new LineCursor(index, 0);
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                topics.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      while (lines.hasNext()) {
        if (!pace.mayEmit(lines.position())) {
          TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
          continue;
        }
        String record = lines.position() + "\t" + lines.next();
        // The callback sees what becomes of it.
        Future<RecordMetadata> unused =
            producer.send(
                new ProducerRecord<>(topics.input(), record.getBytes(StandardCharsets.ISO_8859_1)),
                (written, error) -> {
                  if (error != null) {
                    failure.compareAndSet(null, error);
                  }
                });
      }
      producer.flush();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException error) {
      failure.compareAndSet(null, error);
    }
  }
}
