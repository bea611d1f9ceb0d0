package dev.twophase.testkit.internal.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.internal.operator.ShelfSinks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class SharedPlansTest {

  private int translations;

  private SinkPlan get(SharedPlans plans, String namespace, UnaryOperator<String> shelf)
      throws IOException {
    return plans.get(
        namespace,
        1,
        () -> {
          translations++;
          return SinkExpansion.expand(
              Types.STRING,
              SinkAttachment.of(ShelfSinks.on(shelf.apply(namespace))),
              new Configuration(),
              1);
        });
  }

  @Test
  void aSinkThatDiffersInItsNamespaceOnlyIsTranslatedTwice() throws IOException {
    SharedPlans plans = new SharedPlans();
    for (int run = 100; run < 150; run++) {
      SinkPlan plan = get(plans, "run-" + run, namespace -> "dir/" + namespace + "/x");

      String bytes = new String(plan.nodes().get(0).factory(), StandardCharsets.ISO_8859_1);
      assertThat(bytes).contains("dir/run-" + run + "/x");
    }
    assertThat(translations).isEqualTo(2);
  }

  @Test
  void aSinkThatDiffersInMoreIsTranslatedForEveryRun() throws IOException {
    SharedPlans plans = new SharedPlans();
    Random random = new Random(1);
    for (int run = 100; run < 110; run++) {
      get(plans, "run-" + run, namespace -> namespace + random.nextInt(1 << 30, Integer.MAX_VALUE));
    }
    assertThat(translations).isEqualTo(10);
  }
}
