package dev.twophase.benchmarks.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A contender's JVM as seen from the comparison. */
final class ContenderProcess implements AutoCloseable {

  private static final long SECONDS_TO_END = 20;

  private final String label;
  private final Process process;
  private final Writer requests;
  private final BufferedReader answers;

  private ContenderProcess(String label, Process process) {
    this.label = label;
    this.process = process;
    this.requests = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static ContenderProcess start(Entrant entrant, RunSettings settings) throws IOException {
    Path directory = settings.directory().resolve(entrant.label().replace(' ', '-'));
    Files.createDirectories(directory);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JvmFlags.OPENS);
    command.addAll(entrant.jvmFlags());
    if (settings.profiles().isPresent()) {
      Path profiles = Files.createDirectories(settings.profiles().get().toAbsolutePath());
      Path recording = profiles.resolve(directory.getFileName() + ".jfr");
      command.add("-XX:StartFlightRecording=settings=profile,filename=" + recording);
    }
    command.addAll(List.of("-cp", entrant.classPath(), ContenderMain.class.getName()));
    command.addAll(
        List.of(
            entrant.type().getName(),
            entrant.variant(),
            directory.toString(),
            Double.toString(settings.scale())));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new ContenderProcess(entrant.label(), process);
  }

  Measurement round() throws IOException {
    requests.write("round\n");
    requests.flush();
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.startsWith(ContenderMain.ANSWER)) {
        return Measurement.parse(line.substring(ContenderMain.ANSWER.length()));
      }
    }
    throw new IOException("The JVM of '" + label + "' ended in the middle of a round; see above");
  }

  @Override
  public void close() throws IOException {
    try (requests;
        answers) {
      requests.close();
      if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
