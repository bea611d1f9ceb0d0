package dev.twophase.jdbc.internal.connect;

import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.CredentialsSupplier;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Connections from a driver, with credentials that are asked for each time.
 *
 * @param replyTimeout how long a database may be silent, also while a connection is made if that is
 *     less than 30 s
 */
public record UrlSource(String url, CredentialsSupplier credentials, Duration replyTimeout)
    implements ConnectionSource {

  /** As a parameter; before a host; before Oracle's. */
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i)(password|passwd|pwd|secret|token)[^=;&?]*="
              + "|://[^/@:?]*:[^@?]*@"
              + "|^jdbc:oracle:[^/@]*/[^@]*@");

  private static final Duration LOGIN_TIMEOUT = Duration.ofSeconds(30);
  private static final String SOCKET_TIMEOUT = "socketTimeout";

  /**
   * @throws IllegalArgumentException if the URL seems to hold a secret; it does not quote it
   */
  public UrlSource {
    checkedUrl(url);
  }

  /**
   * Returns the URL if it may be stored with a job.
   *
   * @throws IllegalArgumentException if it seems to hold a secret; it does not quote it
   */
  public static String checkedUrl(String url) {
    if (!url.startsWith("jdbc:")) {
      throw new IllegalArgumentException("url does not begin with 'jdbc:'");
    }
    if (SECRET.matcher(url).find()) {
      throw new IllegalArgumentException(
          "url seems to hold a secret, and would be stored with the job: take it out and use"
              + " credentials(...)");
    }
    return url;
  }

  @Override
  public Connection connect() throws SQLException {
    Credentials known = known();
    try {
      Properties properties = limits();
      properties.setProperty("user", known.user());
      properties.setProperty("password", known.password());
      Connection connection = DriverManager.getConnection(url, properties);
      if (properties.containsKey(SOCKET_TIMEOUT)) {
        // It was for the login.
        connection.setNetworkTimeout(Runnable::run, 0);
      }
      return connection;
    } catch (SQLException error) {
      throw Redaction.without(known.password(), error);
    } catch (RuntimeException error) {
      throw Redaction.without(
          known.password(), new SQLException("The driver failed: " + error.getMessage(), error));
    }
  }

  private Credentials known() throws SQLException {
    @Nullable Credentials known;
    try {
      known = credentials.get();
    } catch (IllegalArgumentException incomplete) {
      throw incomplete;
    } catch (RuntimeException error) {
      throw NoConnectionException.thrownBy("credentials", error);
    }
    if (known == null) {
      throw new IllegalArgumentException("the supplier returned null");
    }
    return known;
  }

  @Override
  public String describe() {
    return url;
  }

  /** Without these a server that accepts a connection and says nothing is waited for for ever. */
  private Properties limits() {
    Properties properties = new Properties();
    Duration login = replyTimeout.compareTo(LOGIN_TIMEOUT) < 0 ? replyTimeout : LOGIN_TIMEOUT;
    String millis = String.valueOf(login.toMillis());
    if (url.startsWith("jdbc:postgresql:")) {
      String seconds = String.valueOf(login.toSeconds());
      offer(properties, "loginTimeout", seconds);
      offer(properties, SOCKET_TIMEOUT, seconds);
      offer(properties, "tcpKeepAlive", "true");
    } else if (url.startsWith("jdbc:mariadb:") || url.startsWith("jdbc:mysql:")) {
      offer(properties, "connectTimeout", millis);
      offer(properties, SOCKET_TIMEOUT, millis);
      offer(properties, "tcpKeepAlive", "true");
    }
    return properties;
  }

  private void offer(Properties properties, String name, String value) {
    if (!url.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT))) {
      properties.setProperty(name, value);
    }
  }
}
