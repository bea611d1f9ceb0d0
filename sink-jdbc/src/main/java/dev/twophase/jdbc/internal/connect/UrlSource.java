package dev.twophase.jdbc.internal.connect;

import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.CredentialsSupplier;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Matcher;
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

  /** What a parameter of such a name holds is a secret; more may be before the word. */
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(?i).*(password|passwd|passcode|passphrase|pwd|secret|token|api_?key|access_?key"
              + "|secret_?key)\\d*");

  /** Before a host, whether there is a slash in it or a question mark; before Oracle's. */
  private static final Pattern SECRET_BEFORE_HOST =
      Pattern.compile(
          "(?i)://[^/@:?]*:[^@?]*@|://[^/@:?]*:(?!\\d+\\?)[^@/]*@|^jdbc:oracle:[^/@]*/[^@]*@");

  private static final Pattern ENCODED = Pattern.compile("%([0-9a-fA-F]{2})");

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
      throw new IllegalArgumentException(
          (url.isEmpty() ? "url is empty" : "url does not begin with 'jdbc:'")
              + ": give the driver's address, such as jdbc:postgresql://host/database");
    }
    if (SECRET_BEFORE_HOST.matcher(url).find()) {
      throw secret("before its host");
    }
    for (String part : url.split("[?&;,()]", -1)) {
      String[] nameAndValue = part.split("=", 2);
      String name = decoded(nameAndValue[0]).strip();
      boolean isSwitch = part.matches("(?i).*=(true|false)?");
      if (nameAndValue.length == 2 && !isSwitch && SECRET_NAME.matcher(name).matches()) {
        throw secret("in parameter '" + name.substring(name.lastIndexOf(':') + 1) + "'");
      }
    }
    return url;
  }

  private static IllegalArgumentException secret(String where) {
    return new IllegalArgumentException(
        "url seems to hold a secret "
            + where
            + ", and would be stored with the job: take it out and use credentials(...)");
  }

  private static String decoded(String name) {
    return ENCODED
        .matcher(name)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(found.group(1), 16))));
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
