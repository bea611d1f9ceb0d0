package dev.twophase.jdbc.internal.connect;

import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.CredentialsSupplier;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.regex.Pattern;

/** Connections from a driver, with credentials that are asked for each time. */
public record UrlSource(String url, CredentialsSupplier credentials) implements ConnectionSource {

  private static final Pattern SECRET =
      Pattern.compile("(?i)(password|passwd|pwd|secret|token)[^=;&?]*=|://[^/@]*:[^/@]*@");

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
    Credentials known = credentials.get();
    try {
      return DriverManager.getConnection(url, known.user(), known.password());
    } catch (SQLException error) {
      throw Redaction.without(known.password(), error);
    }
  }
}
