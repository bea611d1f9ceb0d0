package dev.twophase.file.internal.write;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.commons.io.output.CloseShieldOutputStream;
import org.apache.commons.io.output.CountingOutputStream;
import org.apache.flink.api.common.serialization.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * Rows in a sequence of compressed members (gzip) or frames (zstd), each of whole rows and with a
 * checksum of its own: whatever happens to the end of a file, what stands before it can be read.
 * Every reader of the format reads them as one stream.
 */
public final class CompressedRows<IN> implements FileFormat<IN> {

  private static final long serialVersionUID = 1L;

  /** Uncompressed size at which a member ends: small against a file, large against its overhead. */
  static final long MEMBER_BYTES = 4L << 20;

  private final Encoder<IN> encoder;
  private final Codec codec;

  public CompressedRows(Encoder<IN> encoder, Codec codec) {
    this.encoder = encoder;
    this.codec = codec;
  }

  @Override
  public Content<IN> begin(OutputStream file) {
    return new Members(file);
  }

  private final class Members implements Content<IN> {

    private final OutputStream file;
    private @Nullable CountingOutputStream member;

    Members(OutputStream file) {
      this.file = file;
    }

    @Override
    public void add(IN record) throws IOException {
      CountingOutputStream current = member;
      if (current == null) {
        current = new CountingOutputStream(codec.member(CloseShieldOutputStream.wrap(file)));
        member = current;
      }
      encoder.encode(record, current);
      if (current.getByteCount() >= MEMBER_BYTES) {
        finish();
      }
    }

    @Override
    public void finish() throws IOException {
      CountingOutputStream current = member;
      if (current != null) {
        member = null;
        current.close();
      }
    }
  }
}
