package dev.twophase.jdbc;

import dev.twophase.testkit.Bound;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** With two checkpoints in flight: what they have prepared is committed in one transaction. */
@Tag("nightly")
class PostgresTwoCheckpointsContractTest extends PostgresSinkV2ContractTest {

  @Override
  protected Bound bound() {
    return oneFault(2, Duration.ofMinutes(20));
  }
}
