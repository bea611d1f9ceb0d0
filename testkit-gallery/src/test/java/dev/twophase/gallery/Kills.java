package dev.twophase.gallery;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.schedule.Fault;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The refutations that count, by the conditions of the kit's own proof. */
final class Kills {

  private static final int FRESH_PROCESSES = 10;

  private final List<Refutation> counting = new ArrayList<>();

  /** Refutes all mutants, and prints how, and why a refutation does not count. */
  void collect() {
    for (Mutant mutant : Mutants.all()) {
      try {
        Refutation refutation = Refutation.of(mutant);
        String objection = objection(refutation);
        System.out.println(refutation.describe() + objection);
        if (objection.isEmpty()) {
          counting.add(refutation);
        }
      } catch (AssertionError notFound) {
        System.out.println(notFound.getMessage());
      }
    }
    repeatInFreshProcesses();
  }

  private void repeatInFreshProcesses() {
    List<Refutation> found = List.copyOf(counting);
    for (int i = 0; i < FRESH_PROCESSES; i++) {
      Map<Integer, String> titles = ReplayMain.inFreshProcess(found);
      for (Refutation kill : found) {
        String again = titles.get(kill.mutant().number());
        if (!kill.judgement().title().equals(again) && counting.remove(kill)) {
          System.out.println(kill.mutant() + " does not count: in a fresh process it is " + again);
        }
      }
    }
    System.out.printf(
        "each repeated in %d fresh processes: %d of %d counted before count%n",
        FRESH_PROCESSES, counting.size(), found.size());
  }

  List<Refutation> counting() {
    return counting;
  }

  /** Why a kill does not count; empty if it does, as far as one process can tell. */
  private static String objection(Refutation refutation) {
    Mutant mutant = refutation.mutant();
    Schedule schedule = refutation.judgement().schedule();
    Judgement twin = SinkKit.of(mutant.twin()).replay(schedule.toString());
    if (!twin.verdict().passes()) {
      return " | does not count: its twin is " + twin.title();
    }
    SinkKit<TestRecord> kit = SinkKit.of(mutant.sink());
    for (int i = 0; i < schedule.steps().size() - 1; i++) {
      List<Step> fewer = new ArrayList<>(schedule.steps());
      Step removed = fewer.remove(i);
      if (kit.replay(schedule.with(fewer).toString()).verdict().accuses()) {
        return " | does not count: '" + removed + "' is not needed";
      }
      for (Fault fault : removed.faults()) {
        List<Fault> left = new ArrayList<>(removed.faults());
        left.remove(fault);
        List<Step> without = new ArrayList<>(schedule.steps());
        without.set(i, removed.with(left));
        if (kit.replay(schedule.with(without).toString()).verdict().accuses()) {
          return " | does not count: the fault " + fault + " need not fire";
        }
      }
    }
    return "";
  }
}
