package dev.twophase.testkit.internal.operator.task;

import java.io.File;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.taskmanager.TaskManagerRuntimeInfo;

/** What a task learns of its task manager where there is none: defaults. */
final class DefaultRuntimeInfo implements TaskManagerRuntimeInfo {

  static final DefaultRuntimeInfo INSTANCE = new DefaultRuntimeInfo();

  private final Configuration configuration = new Configuration();

  private DefaultRuntimeInfo() {}

  @Override
  public Configuration getConfiguration() {
    return configuration;
  }

  @Override
  public String[] getTmpDirectories() {
    return new String[] {getTmpWorkingDirectory().getPath()};
  }

  @Override
  public boolean shouldExitJvmOnOutOfMemoryError() {
    return false;
  }

  @Override
  public String getTaskManagerExternalAddress() {
    return "localhost";
  }

  @Override
  public File getTmpWorkingDirectory() {
    return new File(System.getProperty("java.io.tmpdir", "."));
  }
}
