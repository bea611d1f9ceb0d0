package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.oracle.Anomaly;
import dev.twophase.testkit.internal.oracle.Oracle;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Reads again, at once, where a read accuses the sink or no longer shows what the one before did.
 * Nothing is asked of the sink in between: what is gone then was the reader's, and not what a
 * consumer sees.
 */
final class SecondLook {

  private final Oracle oracle;
  private final Supplier<List<TestRecord>> reader;
  private final boolean realServers;

  /**
   * @param realServers whether what is visible may change by itself, so that a contradiction is no
   *     mistake of the test for certain
   */
  SecondLook(Oracle oracle, Supplier<List<TestRecord>> reader, boolean realServers) {
    this.oracle = oracle;
    this.reader = reader;
    this.realServers = realServers;
  }

  /**
   * Judges a read.
   *
   * @param judgement by an oracle, of a read
   * @throws InconclusiveException if a second read contradicts it
   */
  void judge(List<TestRecord> visible, BiConsumer<Oracle, List<TestRecord>> judgement) {
    int known = oracle.anomalies().size();
    judgement.accept(oracle, visible);
    if (oracle.anomalies().size() == known && !oracle.missesWhatWasVisible()) {
      return;
    }
    List<TestRecord> again = reader.get();
    Oracle second = oracle.withoutPast();
    judgement.accept(second, again);
    for (Anomaly found : oracle.anomalies().subList(known, oracle.anomalies().size())) {
      // That a reader may see a part for a moment is what TORN is about.
      if (found.verdict() != Verdict.TORN && !finds(second, found.verdict())) {
        oracle.forgetSince(known);
        throw contradiction(
            "for " + found.verdict() + " (" + found.found() + ", seen " + found.moment() + ")");
      }
    }
    if (oracle.missesAnyOf(again)) {
      oracle.forgetSince(known);
      throw contradiction("without a record that an earlier read showed, and a later one does");
    }
  }

  private static boolean finds(Oracle oracle, Verdict verdict) {
    return oracle.anomalies().stream().anyMatch(anomaly -> anomaly.verdict() == verdict);
  }

  private InconclusiveException contradiction(String what) {
    String text =
        "readVisible(...) was right once "
            + what
            + ", and not when it was called again at once: return what a consumer sees, all of it"
            + " and each copy once; it must not change while nothing is asked of the sink";
    return realServers
        ? new InconclusiveException(text)
        : InconclusiveException.mistakeOfTest(text, null);
  }
}
