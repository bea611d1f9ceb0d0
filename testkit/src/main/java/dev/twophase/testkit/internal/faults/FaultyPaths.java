package dev.twophase.testkit.internal.faults;

import java.net.URI;
import java.net.URISyntaxException;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Names of files as a sink sees them, and as they really are. A faulty file system is found by its
 * scheme: {@code faulty://file/dir} is {@code file:/dir}, and {@code faulty://hdfs@host:9000/dir}
 * is {@code hdfs://host:9000/dir}.
 */
public enum FaultyPaths {
  /** Both are the same. */
  SAME {
    @Override
    Path real(Path seen) {
      return seen;
    }

    @Override
    Path seen(Path real) {
      return real;
    }

    @Override
    URI seen(URI real) {
      return real;
    }
  },
  /** Seen with a scheme of the kit. */
  BY_SCHEME {
    @Override
    Path real(Path seen) {
      return SCHEME.equals(seen.toUri().getScheme()) ? new Path(realUri(seen.toUri())) : seen;
    }

    @Override
    Path seen(Path real) {
      return new Path(seen(real.toUri()));
    }

    @Override
    URI seen(URI real) {
      return faultyUri(real);
    }
  };

  /** Of what is seen. */
  public static final String SCHEME = "faulty";

  private static final String LOCAL = "file";

  abstract Path real(Path seen);

  abstract Path seen(Path real);

  abstract URI seen(URI real);

  FileStatus seen(FileStatus real) {
    return this == SAME ? real : new Renamed(real, seen(real.getPath()));
  }

  FileStatus real(FileStatus seen) {
    return seen instanceof Renamed renamed ? renamed.target : seen;
  }

  /** Where that is, seen through faults. */
  public static Path faulty(Path path) {
    return new Path(faultyUri(path.toUri()));
  }

  static URI realUri(URI seen) {
    String authority = seen.getAuthority();
    int at = authority.indexOf('@');
    return at < 0
        ? uri(authority, null, seen.getPath())
        : uri(authority.substring(0, at), authority.substring(at + 1), seen.getPath());
  }

  private static URI faultyUri(URI real) {
    String scheme = real.getScheme() == null ? LOCAL : real.getScheme();
    String authority = real.getAuthority();
    return uri(SCHEME, authority == null ? scheme : scheme + "@" + authority, real.getPath());
  }

  private static URI uri(String scheme, @Nullable String authority, String path) {
    try {
      return new URI(scheme, authority, path, null, null);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          path + " on " + authority + " cannot be named with the scheme " + scheme, e);
    }
  }

  /** A file under its other name. */
  private record Renamed(FileStatus target, Path path) implements FileStatus {
    @Override
    public long getLen() {
      return target.getLen();
    }

    @Override
    public long getBlockSize() {
      return target.getBlockSize();
    }

    @Override
    public short getReplication() {
      return target.getReplication();
    }

    @Override
    public long getModificationTime() {
      return target.getModificationTime();
    }

    @Override
    public long getAccessTime() {
      return target.getAccessTime();
    }

    @Override
    public boolean isDir() {
      return target.isDir();
    }

    @Override
    public Path getPath() {
      return path;
    }
  }
}
