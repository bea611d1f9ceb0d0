package dev.twophase.testkit.hadoop;

import dev.twophase.testkit.internal.faults.GatedCalls;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;

/** What is written to a file, call by call. See {@link HadoopFaults}. */
final class FaultyHadoopOutput extends OutputStream implements Syncable, StreamCapabilities {

  private final FSDataOutputStream target;
  private final GatedCalls calls = GatedCalls.ofAttempt();

  private FaultyHadoopOutput(FSDataOutputStream target) {
    this.target = target;
  }

  static FSDataOutputStream around(FSDataOutputStream target) throws IOException {
    return new FSDataOutputStream(new FaultyHadoopOutput(target), null, target.getPos());
  }

  @Override
  public void write(int value) throws IOException {
    calls.run("FSDataOutputStream.write", () -> target.write(value));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    calls.run("FSDataOutputStream.write", () -> target.write(bytes, offset, length));
  }

  @Override
  public void flush() throws IOException {
    calls.run("FSDataOutputStream.flush", target::flush);
  }

  @Override
  public void hflush() throws IOException {
    calls.run("FSDataOutputStream.hflush", target::hflush);
  }

  @Override
  public void hsync() throws IOException {
    calls.run("FSDataOutputStream.hsync", target::hsync);
  }

  @Override
  public boolean hasCapability(String capability) {
    return target.hasCapability(capability);
  }

  @Override
  public void close() throws IOException {
    calls.run("FSDataOutputStream.close", target::close);
  }
}
