package dev.twophase.error;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * The job's set-up would lose or duplicate data silently and was refused (E3).
 *
 * <p>Flink does not restart the job after it: a restart would meet the same. Where only a restart
 * finds the set-up spoiled, it is thrown as a plain {@link IllegalStateException}, which keeps the
 * job and its state.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class SetupRefusedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final String setting;

  /**
   * @param sinkName the sink concerned
   * @param setting the setting at fault
   * @param value its value; no secrets
   * @param remedy what to do, as an imperative
   */
  public SetupRefusedException(String sinkName, String setting, String value, String remedy) {
    super("Sink '" + sinkName + "' refused to start: " + setting + " is " + value + ". " + remedy);
    this.setting = setting;
  }

  /** The setting at fault. */
  public String setting() {
    return setting;
  }
}
