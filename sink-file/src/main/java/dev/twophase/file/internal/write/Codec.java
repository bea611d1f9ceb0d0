package dev.twophase.file.internal.write;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;

/** Compressed formats that read a sequence of members as one stream. */
public enum Codec {
  GZIP {
    @Override
    OutputStream open(OutputStream file) throws IOException {
      return new GZIPOutputStream(file, BUFFER);
    }
  },

  ZSTD {
    @Override
    OutputStream open(OutputStream file) throws IOException {
      return new ZstdOutputStream(file).setChecksum(true);
    }
  };

  private static final int BUFFER = 1 << 16;

  /** Begins a member; closing it ends the member and closes the file. */
  OutputStream member(OutputStream file) throws IOException {
    try {
      return open(file);
    } catch (NoClassDefFoundError missing) {
      throw new IOException(
          "Compression by " + this + " needs a library: add com.github.luben:zstd-jni to the job",
          missing);
    }
  }

  abstract OutputStream open(OutputStream file) throws IOException;
}
