package dev.twophase.testkit.jdbc.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How a server that refuses to run as root is run by root all the same: in a user namespace where
 * nobody is root, or where namespaces are not allowed, as the user {@code nobody}.
 *
 * @param prefix goes before each command
 */
public record OtherUser(List<String> prefix) {

  private static final String NOBODY = "65534";
  private static final List<String> NAMESPACE = List.of("unshare", "-U");
  private static final List<String> UNPRIVILEGED =
      List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups");

  public OtherUser {
    prefix = List.copyOf(prefix);
  }

  /** The user of this process. */
  public static OtherUser none() {
    return new OtherUser(List.of());
  }

  /**
   * Another user if this process is root's.
   *
   * @param directory made writable for that user
   * @throws IllegalStateException if there is no way
   */
  public static OtherUser ifRoot(Path directory) throws IOException, InterruptedException {
    if (!(Files.getAttribute(Path.of("/proc/self"), "unix:uid") instanceof Integer uid)
        || uid != 0) {
      return none();
    }
    try {
      ServerProcess.run(List.of("unshare", "-U", "true"), Map.of(), Path.of("/dev/null"));
      return new OtherUser(NAMESPACE);
    } catch (IOException | IllegalStateException namespacesForbidden) {
      ServerProcess.run(
          List.of("chown", "-R", NOBODY + ":" + NOBODY, directory.toString()),
          Map.of(),
          Path.of("/dev/null"));
      return new OtherUser(UNPRIVILEGED);
    }
  }
}
