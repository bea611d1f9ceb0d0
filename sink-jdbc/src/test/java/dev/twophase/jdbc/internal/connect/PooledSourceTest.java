package dev.twophase.jdbc.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.jdbc.table.ClosedDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
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

    assertThatThrownBy(source::connect).isInstanceOf(NoConnectionException.class);
    assertThatThrownBy(source::connect).isInstanceOf(PSQLException.class);
    assertThat(made).hasValue(2);
  }

  @Test
  void aPoolThatIsTooSmallIsToldApartFromADatabaseThatIsAway() {
    PooledSource source =
        new PooledSource(
            () ->
                new PGSimpleDataSource() {
                  @Override
                  public Connection getConnection() throws SQLException {
                    throw new SQLTransientConnectionException("request timed out after 3000ms");
                  }
                });

    assertThatThrownBy(source::connect)
        .isInstanceOf(NoConnectionException.class)
        .hasMessageContaining("each subtask uses up to three")
        .hasMessageContaining("request timed out after 3000ms");
  }

  @Test
  void whatTheFactoryOrTheSupplierThrowsIsNamedByItsSetting() {
    PooledSource pool =
        new PooledSource(
            () -> {
              throw new IllegalStateException("no config");
            });
    UrlSource url =
        new UrlSource(
            "jdbc:postgresql://127.0.0.1:1/nowhere",
            () -> {
              throw new IllegalStateException("vault sealed");
            },
            Duration.ofSeconds(1));

    assertThatThrownBy(pool::connect)
        .isInstanceOf(NoConnectionException.class)
        .hasMessageContaining("dataSource(...)")
        .hasMessageContaining("no config");
    assertThatThrownBy(url::connect)
        .isInstanceOf(NoConnectionException.class)
        .hasMessageContaining("credentials(...)")
        .hasMessageContaining("vault sealed");
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
