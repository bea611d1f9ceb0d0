package dev.twophase.file;

import dev.twophase.file.internal.write.PartFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.serialization.Encoder;

/**
 * Writes each record's {@code toString()} and a line feed, in UTF-8. Into a {@link
 * TransactionalFileSink} it writes without any object in between; into other streams like Flink's
 * {@code SimpleStringEncoder}. Line feeds within a record are written as they are.
 *
 * <p>Has no state: one may serve any number of threads, each with a stream of its own.
 *
 * @param <T> type of the records
 */
public final class LineEncoder<T> implements Encoder<T> {

  private static final long serialVersionUID = 1L;

  @Override
  public void encode(T element, OutputStream stream) throws IOException {
    String line = element.toString();
    if (stream instanceof PartFile file) {
      file.writeUtf8(line);
    } else {
      stream.write(line.getBytes(StandardCharsets.UTF_8));
    }
    stream.write('\n');
  }
}
