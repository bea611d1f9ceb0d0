package dev.twophase.jdbc.contract;

import dev.twophase.testkit.SinkSetup;
import org.junit.jupiter.api.Tag;

/** By prepared transactions of PostgreSQL, through the function. */
@Tag("nightly")
class PostgresXaFunctionContractTest extends PostgresXaContractTest {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildFunction();
  }
}
