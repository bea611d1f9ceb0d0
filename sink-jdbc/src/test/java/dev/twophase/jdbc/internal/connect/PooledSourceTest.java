package dev.twophase.jdbc.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.jdbc.table.ClosedDataSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.PSQLException;

class PooledSourceTest {

  private static PGSimpleDataSource nowhere() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl("jdbc:postgresql://127.0.0.1:1/nowhere");
    return source;
  }

  @Test
  void aDataSourceThatIsClosedIsReplacedByTheNextOfTheFactory() {
    AtomicInteger made = new AtomicInteger();
    PooledSource source =
        new PooledSource(() -> made.incrementAndGet() == 1 ? new ClosedDataSource() : nowhere());

    assertThatThrownBy(source::connect).isInstanceOf(DataSourceClosedException.class);
    assertThatThrownBy(source::connect).isInstanceOf(PSQLException.class);
    assertThat(made).hasValue(2);
  }

  @Test
  void aDataSourceWhoseDatabaseIsAwayStays() {
    AtomicInteger made = new AtomicInteger();
    PooledSource source =
        new PooledSource(
            () -> {
              made.incrementAndGet();
              return nowhere();
            });

    assertThatThrownBy(source::connect).isInstanceOf(PSQLException.class);
    assertThatThrownBy(source::connect).isInstanceOf(PSQLException.class);
    assertThat(made).hasValue(1);
  }
}
