package dev.twophase.testkit.internal.operator.plan;

import dev.twophase.testkit.internal.gate.CallGate;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Saves the translation of one and the same sink for every run. What Flink's translator makes of a
 * sink in one namespace differs from that in another only in the namespace's name; so it is made
 * for two of them, and if they are byte for byte the same but for the name, the third is made by
 * putting its name in. Otherwise, as when a sink hashes its namespace, each run translates its own.
 * One plan in a hundred is translated anyway, and must agree.
 *
 * <p>Thread-safe.
 */
public final class SharedPlans {

  private static final int CHECKED_EVERY = 100;

  /** Translates the sink of a namespace. */
  @FunctionalInterface
  public interface Translation {
    SinkPlan translate() throws IOException;
  }

  /** What is known at one parallelism. */
  private static final class Known {
    final String namespace;
    final PlanTemplate template;
    boolean compared;
    boolean shared;
    int served;

    Known(String namespace, SinkPlan plan) {
      this.namespace = namespace;
      this.template = new PlanTemplate(plan, namespace);
    }
  }

  private final Map<Integer, Known> byParallelism = new HashMap<>();

  /** The plan of the sink in a namespace. */
  public SinkPlan get(String namespace, int parallelism, Translation translation)
      throws IOException {
    Known known = share(parallelism);
    if (known != null) {
      return known.template.in(namespace);
    }
    SinkPlan plan = translateOutsideAnyAttempt(translation);
    learn(namespace, parallelism, plan);
    return plan;
  }

  /** In Flink that is done where the job is submitted: no fault of an attempt happens there. */
  private static SinkPlan translateOutsideAnyAttempt(Translation translation) throws IOException {
    CallGate gate = CallGate.current();
    CallGate.bind(null);
    try {
      return translation.translate();
    } finally {
      CallGate.bind(gate);
    }
  }

  private synchronized @Nullable Known share(int parallelism) {
    Known known = byParallelism.get(parallelism);
    return known != null && known.shared && ++known.served % CHECKED_EVERY != 0 ? known : null;
  }

  private synchronized void learn(String namespace, int parallelism, SinkPlan plan) {
    Known known = byParallelism.get(parallelism);
    if (known == null) {
      byParallelism.put(parallelism, new Known(namespace, plan));
    } else if ((known.shared || !known.compared) && !known.namespace.equals(namespace)) {
      known.compared = true;
      known.shared = known.template.fits(plan, namespace);
    }
  }
}
