package dev.twophase.testkit.internal.operator;

import org.jspecify.annotations.Nullable;

/**
 * What stands between Flink and the sink of one attempt: every call of the protocol passes through
 * it, so that it can be recorded, failed before or after its effect, or cut off.
 */
@FunctionalInterface
public interface SinkCalls {

  /** A call into the sink. */
  @FunctionalInterface
  interface Call {
    @Nullable Object proceed() throws Throwable;
  }

  /** Lets every call through. */
  SinkCalls FREE = (callClass, call) -> call.proceed();

  /**
   * Passes one call.
   *
   * @param callClass what is called, such as {@code commit}; see {@link SinkDecorator}
   * @param call proceeds to the sink; to be called at most once
   * @return what the sink returned
   * @throws Throwable what the sink threw, or a fault
   */
  @Nullable Object pass(String callClass, Call call) throws Throwable;
}
