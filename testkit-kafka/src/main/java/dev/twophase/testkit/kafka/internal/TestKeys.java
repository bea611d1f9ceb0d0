package dev.twophase.testkit.kafka.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A key store and the trust store that goes with it, made by the JDK's own keytool. */
public record TestKeys(Path directory) {

  private static final String ALIAS = "broker";
  private static final long SECONDS = 60;

  public Path keyStore() {
    return directory.resolve("keys.p12");
  }

  public Path trustStore() {
    return directory.resolve("trust.p12");
  }

  public String password() {
    return "test-store";
  }

  void make() throws IOException {
    Path certificate = directory.resolve("broker.crt");
    keytool(
        keyStore(),
        "-genkeypair -keyalg EC -validity 30 -dname CN=localhost -ext"
            + " SAN=dns:localhost,ip:127.0.0.1");
    keytool(keyStore(), "-exportcert", "-file", certificate.toString());
    keytool(trustStore(), "-importcert -noprompt", "-file", certificate.toString());
  }

  private void keytool(Path store, String options, String... further) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(options.split(" ")));
    command.addAll(List.of(further));
    command.addAll(List.of("-alias", ALIAS));
    command.addAll(
        List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", password()));
    Path output = directory.resolve("keytool.log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(output.toFile()))
            .start();
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException(
            "keytool could not make "
                + store
                + ": "
                + Files.readString(output, StandardCharsets.UTF_8));
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while making " + store, interrupted);
    }
  }
}
