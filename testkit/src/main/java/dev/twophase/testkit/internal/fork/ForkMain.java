package dev.twophase.testkit.internal.fork;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.internal.cluster.Clusters;
import dev.twophase.testkit.internal.report.ReportFolder;
import dev.twophase.testkit.internal.report.Reporter;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Schedule;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Runs schedules in the cluster tier, as it is told on its standard input, until that ends: with
 * its parent this process ends too, whatever it is doing.
 */
public final class ForkMain {

  private ForkMain() {}

  /**
   * Runs until standard input ends.
   *
   * @param arguments name of the class of the sink under test, and a directory for checkpoints
   */
  public static void main(String[] arguments) throws Exception {
    DataOutputStream replies = new DataOutputStream(new FileOutputStream(FileDescriptor.out));
    // What anybody prints must not get between the replies.
    System.setOut(System.err);
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Path checkpoints = Path.of(arguments[1]);
    Thread reader =
        new Thread(() -> read(new DataInputStream(System.in), lines, checkpoints), "parent");
    reader.setDaemon(true);
    reader.start();
    Class<?> sink = Class.forName(arguments[0]);
    Subject<?> subject = subject(sink, new Clusters(checkpoints));
    Replay replay = new Replay(subject);
    while (true) {
      boolean reports = lines.take().equals(Messages.REPORT);
      Judgement judgement = replay.replay(Schedule.parse(lines.take()));
      if (reports) {
        Messages.write(replies, report(subject, sink.getSimpleName() + "-cluster", judgement));
      } else {
        Messages.write(replies, judgement);
      }
    }
  }

  private static Messages.Written report(Subject<?> subject, String name, Judgement judgement) {
    try {
      String replay = "assertPasses(\"" + judgement.schedule() + "\")";
      Path page = new Reporter(subject, name).write(judgement, replay, ReportFolder.of(name));
      return new Messages.Written(page.toAbsolutePath().toString(), "");
    } catch (IOException e) {
      return new Messages.Written("", e.toString());
    }
  }

  private static Subject<?> subject(Class<?> sink, Clusters clusters) throws Exception {
    var constructor = sink.getDeclaredConstructor();
    constructor.setAccessible(true);
    return new Subject<>((SinkUnderTest<?>) constructor.newInstance(), clusters);
  }

  private static void read(DataInputStream in, BlockingQueue<String> lines, Path checkpoints) {
    try {
      while (true) {
        lines.add(in.readUTF());
      }
    } catch (EOFException parentIsGone) {
      end(checkpoints);
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }

  private static void end(Path checkpoints) {
    try {
      Clusters.remove(checkpoints);
    } catch (IOException | UncheckedIOException e) {
      System.err.println("cannot remove " + checkpoints + ": " + e);
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }
}
