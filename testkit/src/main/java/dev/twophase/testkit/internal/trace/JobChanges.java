package dev.twophase.testkit.internal.trace;

import dev.twophase.testkit.internal.job.Checkpoint;
import dev.twophase.testkit.internal.job.Checkpoint.Status;
import dev.twophase.testkit.internal.job.Job;
import dev.twophase.testkit.internal.job.RunningAttempt;
import dev.twophase.testkit.internal.job.RunningAttempt.Phase;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tells what has changed in a job since it was last looked at. */
final class JobChanges {

  private final Map<Long, Status> statuses = new HashMap<>();
  private final Map<RunningAttempt<?>, BitSet> delivered = new HashMap<>();
  private final Set<RunningAttempt<?>> alive = new LinkedHashSet<>();
  private final Set<RunningAttempt<?>> zombies = new HashSet<>();

  void started(RunningAttempt<?> attempt) {
    alive.add(attempt);
    delivered.put(attempt, (BitSet) attempt.delivered().clone());
  }

  void closed(RunningAttempt<?> attempt) {
    alive.remove(attempt);
  }

  void died(RunningAttempt<?> attempt) {
    alive.remove(attempt);
  }

  List<Long> newlyDelivered(RunningAttempt<?> attempt) {
    BitSet now = (BitSet) attempt.delivered().clone();
    BitSet before = delivered.put(attempt, (BitSet) now.clone());
    if (before != null) {
      now.andNot(before);
    }
    return now.stream().asLongStream().boxed().toList();
  }

  List<String> checkpoints(Job<?> job) {
    List<String> changed = new ArrayList<>();
    for (long id = 1; id < job.checkpoints().nextId(); id++) {
      Checkpoint<?> checkpoint = job.checkpoints().find(id);
      if (checkpoint != null && statuses.put(id, checkpoint.status()) != checkpoint.status()) {
        changed.add("checkpoint " + id + ' ' + words(checkpoint.status()));
      }
    }
    return changed;
  }

  private static String words(Status status) {
    return switch (status) {
      case PENDING -> "triggered";
      case STORED -> "stored";
      case ABORTED -> "given up";
      case DOUBTFUL -> "doubtful";
      case SAVEPOINT -> "kept as a savepoint";
    };
  }

  List<RunningAttempt<?>> lost(Job<?> job) {
    List<RunningAttempt<?>> lost = new ArrayList<>();
    for (RunningAttempt<?> zombie : job.zombies()) {
      if (zombies.add(zombie)) {
        lost.add(zombie);
      }
    }
    return lost;
  }

  /** Those that ended without anything having been asked of them. */
  List<RunningAttempt<?>> dead() {
    List<RunningAttempt<?>> dead =
        alive.stream().filter(attempt -> attempt.phase() == Phase.DEAD).toList();
    dead.forEach(alive::remove);
    return List.copyOf(dead);
  }
}
