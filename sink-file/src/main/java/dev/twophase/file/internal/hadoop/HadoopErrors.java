package dev.twophase.file.internal.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/** Hadoop's errors as the storage interface names them. */
final class HadoopErrors {

  private HadoopErrors() {}

  /** One operation on the file system. */
  @FunctionalInterface
  interface Operation<R> {
    R run() throws IOException;
  }

  /** Runs an operation and translates its error. */
  static <R> R translated(Path path, Operation<R> operation) throws IOException {
    try {
      return operation.run();
    } catch (IOException error) {
      throw translate(path, error);
    }
  }

  private static IOException translate(Path path, IOException error) {
    IOException cause =
        error instanceof RemoteException remote ? remote.unwrapRemoteException() : error;
    IOException named = null;
    String name = path.toString();
    if (cause instanceof org.apache.hadoop.fs.FileAlreadyExistsException) {
      named = new FileAlreadyExistsException(name);
    } else if (cause instanceof FileNotFoundException) {
      named = new NoSuchFileException(name);
    } else if (cause instanceof ParentNotDirectoryException) {
      named = new NotDirectoryException(name);
    } else if (cause instanceof AccessControlException) {
      named = new AccessDeniedException(name, null, cause.getMessage());
    }
    if (named == null) {
      return cause;
    }
    named.initCause(error);
    return named;
  }
}
