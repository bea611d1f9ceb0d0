package dev.twophase.file.manifest;

import dev.twophase.file.internal.publish.RunMark;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which parts make whole checkpoints. Each job writes a line of them, from the checkpoint on that
 * it restored.
 *
 * <ul>
 *   <li>A line that begins at a checkpoint abandons the later parts of all lines before it: they
 *       complete no checkpoint of its own. They stay visible if they were.
 *   <li>Lines above the job that has the sink's name are of jobs whose owner mark was removed: they
 *       complete and abandon nothing.
 *   <li>A checkpoint is complete when each subtask of its parallelism has a part of it or has ended
 *       by then.
 *   <li>A subtask that has ended is waited for again once it runs since that checkpoint or a later
 *       one.
 * </ul>
 */
final class Lines {

  private record Slot(int parts, int subtask) {}

  private final List<ManifestPart> parts;
  private final List<RunMark> allMarks;
  private final List<RunMark> marks;
  private final long newest;
  // By line: the lowest checkpoint at which it or a later one begins.
  private final NavigableMap<Long, Long> begins = new TreeMap<>();
  // By checkpoint: the highest line.
  private final Map<Slot, NavigableMap<Long, Long>> starts = new HashMap<>();
  private final Map<Slot, NavigableMap<Long, Long>> ends = new HashMap<>();
  private final OptionalLong latest;

  /**
   * @param allMarks listed after the parts: the mark of an attempt is older than all its parts
   * @param newest line of the job that has the name, asked for after the marks
   */
  Lines(List<ManifestPart> parts, List<RunMark> allMarks, long newest) {
    this.parts = parts;
    this.allMarks = allMarks;
    this.newest = newest;
    this.marks = allMarks.stream().filter(mark -> mark.line() <= newest).toList();
    for (RunMark mark : marks) {
      if (mark.ended()) {
        continue;
      }
      begins.merge(mark.line(), mark.checkpoint(), Math::min);
      starts
          .computeIfAbsent(new Slot(mark.parts(), mark.subtask()), slot -> new TreeMap<>())
          .merge(mark.checkpoint(), mark.line(), Math::max);
    }
    long lowest = Long.MAX_VALUE;
    for (Map.Entry<Long, Long> line : begins.descendingMap().entrySet()) {
      lowest = Math.min(lowest, line.getValue());
      line.setValue(lowest);
    }
    latest = findLatest();
  }

  /** The latest complete checkpoint of the last line. */
  OptionalLong latest() {
    return latest;
  }

  /** What is or was part of a complete checkpoint or comes before one, in the order given. */
  List<ManifestPart> visible() {
    Map<Long, OptionalLong> before = new HashMap<>();
    List<ManifestPart> visible = new ArrayList<>();
    for (ManifestPart part : parts) {
      OptionalLong upTo =
          isAbandoned(part)
              ? before.computeIfAbsent(abandonedBy(part), this::latestBefore)
              : latest;
      if (upTo.isPresent() && part.checkpoint() <= upTo.getAsLong()) {
        visible.add(part);
      }
    }
    return visible;
  }

  private OptionalLong latestBefore(long line) {
    return new Lines(
            parts.stream().filter(part -> part.line() < line).toList(),
            allMarks.stream().filter(mark -> mark.line() < line).toList(),
            Long.MAX_VALUE)
        .latest();
  }

  private boolean isAbandoned(ManifestPart part) {
    return isAbandoned(part.line(), part.checkpoint());
  }

  private boolean isAbandoned(long line, long checkpoint) {
    if (line > newest) {
      return true;
    }
    Map.Entry<Long, Long> later = begins.higherEntry(line);
    return later != null && later.getValue() < checkpoint;
  }

  private long abandonedBy(ManifestPart part) {
    if (part.line() > newest) {
      return Long.MAX_VALUE;
    }
    return marks.stream()
        .filter(mark -> !mark.ended())
        .filter(mark -> mark.line() > part.line() && mark.checkpoint() < part.checkpoint())
        .mapToLong(RunMark::line)
        .min()
        .orElseThrow();
  }

  private OptionalLong findLatest() {
    TreeMap<Long, Map<Integer, Set<Integer>>> seen = new TreeMap<>();
    for (RunMark mark : marks) {
      if (mark.ended() && !isAbandoned(mark.line(), mark.checkpoint())) {
        end(mark.parts(), mark.subtask(), mark.checkpoint(), mark.line());
      }
    }
    for (ManifestPart part : parts) {
      if (!isAbandoned(part)) {
        int subtask = part.transaction().subtask();
        seen.computeIfAbsent(part.checkpoint(), checkpoint -> new HashMap<>())
            .computeIfAbsent(part.parts(), count -> new HashSet<>())
            .add(subtask);
        if (part.last()) {
          end(part.parts(), subtask, part.checkpoint(), part.line());
        }
      }
    }
    for (var checkpoint : seen.descendingMap().entrySet()) {
      for (var subtasks : checkpoint.getValue().entrySet()) {
        if (isComplete(checkpoint.getKey(), subtasks.getKey(), subtasks.getValue())) {
          return OptionalLong.of(checkpoint.getKey());
        }
      }
    }
    return OptionalLong.empty();
  }

  private void end(int count, int subtask, long checkpoint, long line) {
    ends.computeIfAbsent(new Slot(count, subtask), slot -> new TreeMap<>())
        .merge(checkpoint, line, Math::max);
  }

  private boolean isComplete(long checkpoint, int count, Collection<Integer> present) {
    for (int subtask = 0; subtask < count; subtask++) {
      if (!present.contains(subtask) && !hasEnded(new Slot(count, subtask), checkpoint)) {
        return false;
      }
    }
    return true;
  }

  private boolean hasEnded(Slot slot, long checkpoint) {
    NavigableMap<Long, Long> ended = ends.get(slot);
    Map.Entry<Long, Long> end = ended == null ? null : ended.floorEntry(checkpoint);
    if (end == null) {
      return false;
    }
    NavigableMap<Long, Long> started = starts.getOrDefault(slot, new TreeMap<>());
    return started.subMap(end.getKey(), true, checkpoint, false).values().stream()
        .noneMatch(line -> line >= end.getValue());
  }
}
