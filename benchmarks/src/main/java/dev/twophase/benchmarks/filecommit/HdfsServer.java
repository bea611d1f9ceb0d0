package dev.twophase.benchmarks.filecommit;

import dev.twophase.benchmarks.run.JvmFlags;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A NameNode and a DataNode in a JVM of their own, which ends when this one closes its pipe. */
final class HdfsServer implements AutoCloseable {

  private static final long SECONDS_TO_END = 20;

  /** The servers insist on web pages, and do not find them in a multi-release jar. */
  private static final List<String> WEB_APPLICATIONS = List.of("hdfs", "datanode");

  private final Process process;
  private final String uri;

  private HdfsServer(Process process, String uri) {
    this.process = process;
    this.uri = uri;
  }

  static HdfsServer start(Path directory) throws IOException {
    Path pages = directory.resolve("pages");
    for (String application : WEB_APPLICATIONS) {
      copy("webapps/" + application + "/WEB-INF/web.xml", pages);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JvmFlags.OPENS);
    String classPath = pages + File.pathSeparator + System.getProperty("java.class.path");
    command.addAll(List.of("-cp", classPath, HdfsServerMain.class.getName()));
    command.add(directory.resolve("data").toString());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.startsWith(HdfsServerMain.READY)) {
        return new HdfsServer(process, line.substring(HdfsServerMain.READY.length()));
      }
    }
    throw new IOException("HDFS did not start; see above");
  }

  String uri() {
    return uri;
  }

  private static void copy(String resource, Path to) throws IOException {
    Path target = to.resolve(resource);
    Files.createDirectories(target.getParent());
    try (InputStream in = HdfsServer.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("No " + resource + " on the class path");
      }
      Files.copy(in, target);
    }
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
