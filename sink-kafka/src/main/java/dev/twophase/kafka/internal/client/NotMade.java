package dev.twophase.kafka.internal.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Says why a client could not be made. Kafka's own text may quote a secret, such as what follows a
 * quote too many in a login's configuration: then it is left out, also as the cause (S2).
 */
final class NotMade {

  private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");

  /** Of class names, which stand in logins and in exceptions alike. */
  private static final Set<String> NO_SECRET =
      Set.of("org", "apache", "kafka", "common", "security", "java", "javax", "lang");

  /** A part of a word of that length tells something of a secret. */
  private static final int TELLING = 4;

  private static final String LOGIN_PARSER = "org.apache.kafka.common.security.Jaas";
  private static final String LOGIN = "sasl.jaas.config";

  private final String sinkName;
  private final Properties properties;

  NotMade(String sinkName, Properties properties) {
    this.sinkName = sinkName;
    this.properties = properties;
  }

  KafkaException because(KafkaException error) {
    String start = "Sink '" + sinkName + "' cannot make its Kafka clients: ";
    List<Throwable> chain = chain(error);
    Set<String> quoted = quotedSecrets(chain);
    if (!quoted.isEmpty()) {
      // Stack traces have no text but the classes of Kafka.
      KafkaException told =
          new KafkaException(
              start
                  + "what was given as "
                  + String.join(", ", quoted)
                  + " is not usable. What Kafka says of it may quote the secret and is left out."
                  + " Check it where it was given with setProperty; a login is MODULE required"
                  + " NAME=\"VALUE\"...; with the module's full class name, quotes around values"
                  + " escaped within them, and a semicolon at its end");
      told.setStackTrace(chain.get(chain.size() - 1).getStackTrace());
      return told;
    }
    Throwable deepest = chain.get(chain.size() - 1);
    Set<String> named = namedSettings(chain);
    return new KafkaException(
        start
            + (deepest.getMessage() == null ? deepest : deepest.getMessage())
            + ". "
            + (named.isEmpty()
                ? "Check setBootstrapServers and what was given with setProperty, above all"
                    + " security.protocol, sasl.* and ssl.*"
                : "Check what was given with setProperty as " + String.join(", ", named)),
        error);
  }

  /** Causes, the deepest last. */
  private static List<Throwable> chain(Throwable error) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Throwable> chain = new ArrayList<>();
    for (Throwable each = error; each != null && seen.add(each); each = each.getCause()) {
      chain.add(each);
    }
    return chain;
  }

  private Set<String> quotedSecrets(List<Throwable> chain) {
    Set<String> quoted = new TreeSet<>();
    secrets()
        .forEach(
            (name, value) -> {
              if (chain.stream().anyMatch(each -> quotes(each.getMessage(), value))) {
                quoted.add(name);
              }
            });
    if (properties.containsKey(LOGIN) && chain.stream().anyMatch(NotMade::isOfLoginParser)) {
      quoted.add(LOGIN);
    }
    return quoted;
  }

  private static boolean isOfLoginParser(Throwable error) {
    return Stream.of(error.getStackTrace())
        .anyMatch(frame -> frame.getClassName().startsWith(LOGIN_PARSER));
  }

  private static boolean quotes(@Nullable String text, String secret) {
    if (text == null) {
      return false;
    }
    Set<String> whole =
        Set.of(BETWEEN_WORDS.splitAsStream(secret).distinct().toArray(String[]::new));
    return BETWEEN_WORDS
        .splitAsStream(text)
        .filter(word -> !word.isEmpty() && !NO_SECRET.contains(word))
        .anyMatch(
            word -> whole.contains(word) || (word.length() >= TELLING && secret.contains(word)));
  }

  /** As given, and as what provides configuration makes of it. */
  private Map<String, String> secrets() {
    Map<String, String> secrets = new TreeMap<>();
    properties.stringPropertyNames().stream()
        .filter(ClientProperties::isSecret)
        .forEach(name -> secrets.put(name, properties.getProperty(name)));
    try {
      new AdminClientConfig(properties)
          .originals()
          .forEach(
              (name, value) ->
                  secrets.computeIfPresent(name, (same, given) -> given + " " + value));
    } catch (RuntimeException unreadable) {
      // Whoever provides it may have failed for what it was to provide: nothing more is known.
      return secrets;
    }
    return secrets;
  }

  /** Those whose classes are spoken of. */
  private Set<String> namedSettings(List<Throwable> chain) {
    Set<String> named = new TreeSet<>();
    for (String name : properties.stringPropertyNames()) {
      for (String item : properties.getProperty(name).split(",", -1)) {
        String type = item.trim();
        if (type.contains(".")
            && !ClientProperties.isSecret(name)
            && !name.equals(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG)
            && chain.stream().anyMatch(each -> String.valueOf(each.getMessage()).contains(type))) {
          named.add(name);
        }
      }
    }
    return named;
  }
}
