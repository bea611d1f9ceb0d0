package dev.twophase.jdbc.internal.connect;

import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.CredentialsSupplier;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Connections from a driver, with credentials that are asked for each time. */
public record UrlSource(String url, CredentialsSupplier credentials) implements ConnectionSource {

  /** As a parameter; before a host; before Oracle's. */
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i)(password|passwd|pwd|secret|token)[^=;&?]*="
              + "|://[^/@:?]*:[^@?]*@"
              + "|^jdbc:oracle:[^/@]*/[^@]*@");

  private static final String LOGIN_SECONDS = "30";

  /**
   * @throws IllegalArgumentException if the URL seems to hold a secret; it does not quote it
   */
  public UrlSource {
    if (!url.startsWith("jdbc:")) {
      throw new IllegalArgumentException("url does not begin with 'jdbc:'");
    }
    if (SECRET.matcher(url).find()) {
      throw new IllegalArgumentException(
          "url seems to hold a secret, and would be stored with the job: take it out and use"
              + " credentials(...)");
    }
  }

  @Override
  public Connection connect() throws SQLException {
    @Nullable Credentials known = credentials.get();
    if (known == null) {
      throw new IllegalArgumentException("the supplier returned null");
    }
    try {
      Properties properties = new Properties();
      properties.setProperty("user", known.user());
      properties.setProperty("password", known.password());
      if (url.startsWith("jdbc:postgresql:")) {
        // Without these a server that accepts a connection and says nothing is waited for for ever.
        properties.setProperty("loginTimeout", LOGIN_SECONDS);
        properties.setProperty("tcpKeepAlive", "true");
      }
      return DriverManager.getConnection(url, properties);
    } catch (SQLException error) {
      throw Redaction.without(known.password(), error);
    }
  }
}
