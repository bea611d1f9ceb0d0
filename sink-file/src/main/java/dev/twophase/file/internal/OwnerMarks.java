package dev.twophase.file.internal;

import dev.twophase.error.SetupRefusedException;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.publish.RunMark;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who writes under a sink's name (R6). Each job that starts leaves one mark, an empty directory
 * called by a number and its job id; the highest owns the name. A job that finds its own mark
 * topped by another's stops at its next checkpoint, and stays refused. No clock is asked: a restart
 * of the owner finds its own mark, and a job submitted anew always takes over, so that nothing
 * stale ever refuses it.
 */
public final class OwnerMarks {

  private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.([0-9a-zA-Z-]+)");

  private static final Logger LOG = LoggerFactory.getLogger(OwnerMarks.class);

  private record Mark(long number, String job) {}

  private final Storage storage;
  private final String sinkName;
  private final String directory;
  private final String job;

  /**
   * @param job id of this job, the same for all its restarts
   */
  public OwnerMarks(Storage storage, String sinkName, String job) {
    this.storage = storage;
    this.sinkName = sinkName;
    this.directory = FileNames.ownerDirectory(sinkName);
    this.job = job;
  }

  /** Number of the job that has the name; empty if jobs leave no marks. */
  public static OptionalLong newest(Storage storage, String sinkName) throws IOException {
    return storage.names(FileNames.ownerDirectory(sinkName)).stream()
        .map(OwnerMarks::parse)
        .flatMap(Optional::stream)
        .mapToLong(Mark::number)
        .max();
  }

  /** Id of the job that owned the name under this number, if its mark is still there. */
  static Optional<String> jobOf(Storage storage, String sinkName, long number) throws IOException {
    return storage.names(FileNames.ownerDirectory(sinkName)).stream()
        .map(OwnerMarks::parse)
        .flatMap(Optional::stream)
        .filter(mark -> mark.number() == number)
        .map(Mark::job)
        .findFirst();
  }

  /**
   * Takes the name over, unless this job has it already. Where somebody has removed the mark of a
   * later job, this one gets a number above that job's: what it left goes before, not after.
   *
   * @param formerLine that this job does not continue although it may have its id; 0 for none
   * @return this job's number, above those of all jobs before
   * @throws SetupRefusedException if it had it and another took it over
   */
  long claim(long formerLine) throws IOException {
    try {
      // Asked first: what a subtask of this job runs under by now has an owner mark then.
      long highestRun =
          RunMark.all(storage, sinkName).stream().mapToLong(RunMark::line).max().orElse(0);
      List<Mark> marks = marks();
      if (marks.stream().anyMatch(mark -> mark.job().equals(job))
          && refuseUnlessLast(marks).number() >= Math.max(highestRun, formerLine + 1)) {
        return marks.get(marks.size() - 1).number();
      }
      long highest = marks.isEmpty() ? 0 : marks.get(marks.size() - 1).number();
      long next = Math.max(highest, highestRun) + 1;
      storage.makeDirectories(directory + "/" + next + "." + job);
      storage.syncDirectory(directory);
      storage.syncDirectory(FileNames.HIDDEN);
      return next;
    } catch (IOException error) {
      throw StorageErrors.explain(
          "Cannot leave an owner mark in " + storage.fullName(directory), error);
    }
  }

  /**
   * Takes the name over, whoever has it, and forgets all others: they are refused as long as they
   * run, and any of them may take it back when it is started anew, also under its former id.
   *
   * @return the number, above those of all jobs before
   */
  public long claimOnce() throws IOException {
    long number = claim(0);
    for (Mark mark : marks()) {
      if (!mark.job().equals(job)) {
        LOG.info(
            "Sink name '{}' is taken over from job {} of {}: if that still runs, it fails at its"
                + " next checkpoint",
            sinkName,
            mark.job(),
            storage.base());
        storage.delete(directory + "/" + mark.number() + "." + mark.job());
      }
    }
    storage.syncDirectory(directory);
    return number;
  }

  /**
   * Checks that no other job has taken the name over.
   *
   * @return this job's number by now, which another of its subtasks may have raised
   * @throws SetupRefusedException if one has
   */
  long check() throws IOException {
    try {
      return refuseUnlessLast(marks()).number();
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot list " + storage.fullName(directory), error);
    }
  }

  private Mark refuseUnlessLast(List<Mark> marks) {
    if (marks.isEmpty()) {
      throw new SetupRefusedException(
          sinkName,
          "name",
          "'" + sinkName + "', but the mark by which job " + job + " owns it is gone",
          "Something has removed what was in "
              + storage.fullName(directory)
              + " while the job was running: leave "
              + FileNames.HIDDEN
              + " alone, and start the job from its latest checkpoint");
    }
    Mark last = marks.get(marks.size() - 1);
    if (!last.job().equals(job)) {
      String mark = last.number() + "." + last.job();
      throw new SetupRefusedException(
          sinkName,
          "name",
          "'" + sinkName + "', taken over from job " + job + " by job " + last.job(),
          "Only one running job may write under a name in a directory. If job "
              + last.job()
              + " replaces this one, cancel this one. If both shall run, give each its own by"
              + " name(...). If neither is true, end the other, remove its mark "
              + storage.fullName(directory + "/" + mark)
              + " and start this one from its latest checkpoint");
    }
    return last;
  }

  /** Ordered; of two that claimed the same number at once, both see the same one last. */
  private List<Mark> marks() throws IOException {
    return storage.names(directory).stream()
        .map(OwnerMarks::parse)
        .flatMap(Optional::stream)
        .sorted(Comparator.comparingLong(Mark::number).thenComparing(Mark::job))
        .toList();
  }

  private static Optional<Mark> parse(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        ? Optional.of(new Mark(Long.parseLong(matcher.group(1)), matcher.group(2)))
        : Optional.empty();
  }
}
