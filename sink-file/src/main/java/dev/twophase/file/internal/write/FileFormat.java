package dev.twophase.file.internal.write;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;

/** How records become the bytes of a file. Serialized into the job, used on the cluster. */
public interface FileFormat<IN> extends Serializable {

  /**
   * Begins a file.
   *
   * @param file counts, buffers and writes; closing it is refused
   */
  Content<IN> begin(OutputStream file) throws IOException;

  /**
   * Content of one file. Used by one thread at a time.
   *
   * @param <IN> type of the records
   */
  interface Content<IN> {

    void add(IN record) throws IOException;

    /** Writes what is still held back; afterwards the file is complete. */
    void finish() throws IOException;
  }
}
