package dev.twophase.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.TransactionalJdbcSink;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Driver;
import java.sql.DriverManager;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A password is shown nowhere. */
class SecretsTest {

  private static final String SECRET = "hunter2-hunter2";

  private static TransactionalJdbcSink<Order> sink(String url) {
    return TransactionalJdbcSink.<Order>builder()
        .name("orders")
        .url(url)
        .credentials(() -> new Credentials("app", SECRET))
        .upsertInto("orders")
        .key("id", Order::id)
        .column("item", Order::item)
        .createTables();
  }

  @Test
  void S2_aUrlThatHoldsASecretIsRefusedWithoutQuotingIt() {
    for (String url :
        new String[] {
          "jdbc:postgresql://db/shop?user=app&password=" + SECRET,
          "jdbc:mariadb://app:" + SECRET + "@db/shop",
          "jdbc:h2:mem:x;PASSWORD=" + SECRET,
          "jdbc:mysql://app:" + SECRET + "/2@db/shop",
          "jdbc:oracle:thin:scott/" + SECRET + "@//db:1521/shop",
          "jdbc:mysql://app:" + SECRET + "?@db/shop",
          "jdbc:mysql://(host=db,password=" + SECRET + ")/shop",
          "jdbc:mysql://db/shop?trustCertificateKeyStorePassword=" + SECRET,
          "jdbc:mysql://db/shop?password2=" + SECRET,
          "jdbc:postgresql://db/shop?pass%77ord=" + SECRET,
          "jdbc:snowflake://db/?passcode=" + SECRET,
          "jdbc:clickhouse://db/shop?api_key=" + SECRET
        }) {
      assertThatThrownBy(() -> TransactionalJdbcSink.<Order>builder().url(url))
          .hasMessageContaining("credentials(...)")
          .message()
          .doesNotContain(SECRET);
    }
  }

  @Test
  void theParameterThatSeemsToHoldASecretIsNamed() {
    assertThatThrownBy(
            () -> TransactionalJdbcSink.builder().url("jdbc:postgresql://db/shop?a=b&Pass%77ord=x"))
        .hasMessageContaining("in parameter 'Password'");
  }

  @Test
  void urlsWithoutASecretAreTaken() {
    for (String url :
        new String[] {
          "jdbc:postgresql://one:5432,two:5432/shop?user=app@example.org",
          "jdbc:oracle:thin:@//db:1521/shop",
          "jdbc:mysql://app@db:3306/shop",
          "jdbc:postgresql://one:5432?user=app@example.org",
          "jdbc:mysql://db/shop?passwordCharacterEncoding=utf8",
          "jdbc:mysql://db/shop?disconnectOnExpiredPasswords=true",
          "jdbc:db2://db/shop:useToken=false;"
        }) {
      TransactionalJdbcSink.<Order>builder().url(url);
    }
  }

  /** PostgreSQL's never does; others do, in one of these ways. */
  @ParameterizedTest
  @ValueSource(strings = {"message", "cause", "next", "unchecked"})
  void S2_aPasswordThatADriverQuotesIsNotShown(String where) throws Exception {
    Driver driver = new QuotingDriver(where);
    DriverManager.registerDriver(driver);
    StringWriter error = new StringWriter();
    try (PrintWriter out = new PrintWriter(error)) {
      assertThatThrownBy(() -> Sinks.writer(sink(QuotingDriver.URL), 0))
          .satisfies(thrown -> thrown.printStackTrace(out));
    } finally {
      DriverManager.deregisterDriver(driver);
    }

    assertThat(error.toString()).contains("cannot log in").doesNotContain(SECRET);
  }

  @Test
  void S2_noSecretIsInTheJobOrAnErrorOrAString() throws Exception {
    TransactionalJdbcSink<Order> sink = sink("jdbc:postgresql://127.0.0.1:1/shop");

    byte[] job = InstantiationUtil.serializeObject(sink.buildSink());
    StringWriter error = new StringWriter();
    try (PrintWriter out = new PrintWriter(error)) {
      assertThatThrownBy(() -> Sinks.writer(sink, 0).close())
          .satisfies(thrown -> thrown.printStackTrace(out));
    }

    assertThat(new String(job, StandardCharsets.ISO_8859_1)).doesNotContain(SECRET);
    assertThat(error.toString()).isNotEmpty().doesNotContain(SECRET);
    assertThat(new Credentials("app", SECRET).toString()).doesNotContain(SECRET);
  }
}
