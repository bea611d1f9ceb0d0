package dev.twophase.jdbc.table;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * Lets nobody in, and quotes the password.
 *
 * @param where message, cause, next or unchecked
 */
public record QuotingDriver(String where) implements Driver {

  public static final String URL = "jdbc:quoting:shop";

  @Override
  public Connection connect(String url, Properties properties) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    String quoting = "app/" + properties.getProperty("password") + " cannot log in";
    SQLException error = new SQLException("cannot log in", "28000");
    switch (where) {
      case "message" -> throw new SQLException(quoting, "28000");
      case "cause" -> error.initCause(new IllegalStateException(quoting));
      case "next" -> {
        error.setNextException(new SQLException(quoting));
        error.addSuppressed(new SQLException(quoting));
      }
      default -> throw new IllegalArgumentException(quoting);
    }
    throw error;
  }

  @Override
  public boolean acceptsURL(String url) {
    return url.equals(URL);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 1;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("quoting");
  }
}
