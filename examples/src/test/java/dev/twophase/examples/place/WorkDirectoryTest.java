package dev.twophase.examples.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What demos that were killed have left is removed by the next one; what is in use is not. */
class WorkDirectoryTest {

  @TempDir private Path parent;

  /** Makes a directory, says so and waits to be killed. */
  static final class Holder {

    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      Path made = WorkDirectory.makeIn(Path.of(arguments[0]));
      Files.writeString(made.resolve("data"), "x");
      System.out.write('.');
      System.out.flush();
      System.in.read();
    }
  }

  private Process holder() throws IOException {
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                parent.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(holder.getInputStream().read()).isEqualTo('.');
    return holder;
  }

  @Test
  void whatAKilledDemoHasLeftIsRemovedByTheNext() throws Exception {
    Process holder = holder();
    holder.destroyForcibly();
    assertThat(holder.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(parent).isNotEmptyDirectory();
    WorkDirectory.removeAbandoned(parent);
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void whatARunningDemoUsesIsLeftAlone() throws Exception {
    Process holder = holder();
    try {
      Path own = WorkDirectory.makeIn(parent);
      WorkDirectory.removeAbandoned(parent);
      assertThat(own).exists();
      assertThat(parent.toFile().list()).hasSize(2);
    } finally {
      holder.destroyForcibly();
    }
  }

  @Test
  void whatIsNoWorkDirectoryIsLeftAlone() throws IOException {
    Path other = Files.createDirectory(parent.resolve("twophase-demo-of-mine"));
    WorkDirectory.removeAbandoned(parent);
    assertThat(other).exists();
  }
}
