package dev.twophase.testkit.internal.faults;

import java.io.IOException;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemKind;
import org.apache.flink.core.fs.RecoverableWriter;

/** A file system, with those methods implemented that only one Flink line has. */
abstract class LineFileSystem extends FileSystem {

  private final FileSystem target;

  LineFileSystem(FileSystem target) {
    this.target = target;
  }

  abstract RecoverableWriter decorated(GatedCalls.Call<RecoverableWriter> writer)
      throws IOException;

  @Override
  public final RecoverableWriter createRecoverableWriter() throws IOException {
    return decorated(target::createRecoverableWriter);
  }

  @Override
  @Deprecated
  @SuppressWarnings("deprecation") // Flink asks for it
  public final FileSystemKind getKind() {
    return target.getKind();
  }
}
