package dev.twophase.testkit.internal.faults;

import java.io.IOException;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.RecoverableFsDataOutputStream;
import org.apache.flink.core.fs.RecoverableWriter.CommitRecoverable;
import org.apache.flink.core.fs.RecoverableWriter.ResumeRecoverable;

/** A recoverable stream. See {@link FaultyFileSystem}. */
final class FaultyOutput extends RecoverableFsDataOutputStream {

  private static final String TYPE = "RecoverableFsDataOutputStream";

  private final RecoverableFsDataOutputStream target;
  private final Plain plain;
  private final GatedCalls calls = GatedCalls.ofAttempt();

  FaultyOutput(RecoverableFsDataOutputStream target) {
    this.target = target;
    this.plain = new Plain(TYPE, target);
  }

  @Override
  public void write(int value) throws IOException {
    plain.write(value);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    plain.write(bytes, offset, length);
  }

  @Override
  public long getPos() throws IOException {
    return plain.getPos();
  }

  @Override
  public void flush() throws IOException {
    plain.flush();
  }

  @Override
  public void sync() throws IOException {
    plain.sync();
  }

  @Override
  public void close() throws IOException {
    plain.close();
  }

  @Override
  public ResumeRecoverable persist() throws IOException {
    return calls.call(TYPE + ".persist", target::persist);
  }

  @Override
  public Committer closeForCommit() throws IOException {
    return calls.call(TYPE + ".closeForCommit", () -> new Commit(target.closeForCommit()));
  }

  /** Any stream that is written. */
  static final class Plain extends FSDataOutputStream {

    private final FSDataOutputStream target;
    private final GatedCalls calls = GatedCalls.ofAttempt();
    private final String write;
    private final String flush;
    private final String sync;
    private final String close;

    Plain(String type, FSDataOutputStream target) {
      this.target = target;
      this.write = type + ".write";
      this.flush = type + ".flush";
      this.sync = type + ".sync";
      this.close = type + ".close";
    }

    @Override
    public void write(int value) throws IOException {
      calls.run(write, () -> target.write(value));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      calls.run(write, () -> target.write(bytes, offset, length));
    }

    @Override
    public long getPos() throws IOException {
      return target.getPos();
    }

    @Override
    public void flush() throws IOException {
      calls.run(flush, target::flush);
    }

    @Override
    public void sync() throws IOException {
      calls.run(sync, target::sync);
    }

    @Override
    public void close() throws IOException {
      calls.run(close, target::close);
    }
  }

  /** What publishes a file. */
  static final class Commit implements Committer {

    private final Committer target;
    private final GatedCalls calls = GatedCalls.ofAttempt();

    Commit(Committer target) {
      this.target = target;
    }

    @Override
    public void commit() throws IOException {
      calls.run("Committer.commit", target::commit);
    }

    @Override
    public void commitAfterRecovery() throws IOException {
      calls.run("Committer.commitAfterRecovery", target::commitAfterRecovery);
    }

    @Override
    public CommitRecoverable getRecoverable() {
      return target.getRecoverable();
    }
  }
}
