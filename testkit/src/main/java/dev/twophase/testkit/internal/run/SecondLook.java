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
            "first showed "
                + found.verdict()
                + " ("
                + found.found()
                + ", seen "
                + found.moment()
                + ")");
      }
    }
    if (oracle.missesAnyOf(again)) {
      oracle.forgetSince(known);
      throw contradiction("second showed a record that had been visible before");
    }
  }

  private static boolean finds(Oracle oracle, Verdict verdict) {
    return oracle.anomalies().stream().anyMatch(anomaly -> anomaly.verdict() == verdict);
  }

  private InconclusiveException contradiction(String what) {
    String text =
        "Of two calls of readVisible(...), with nothing asked of the sink in between, only the "
            + what
            + ": return what a consumer sees, all of it and each copy once. It must not change,"
            + " unless the sink goes on in threads of its own behind a call that has returned";
    return realServers
        ? new InconclusiveException(text)
        : InconclusiveException.mistakeOfTest(text, null);
  }
}
