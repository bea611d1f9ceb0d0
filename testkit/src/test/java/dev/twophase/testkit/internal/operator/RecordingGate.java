package dev.twophase.testkit.internal.operator;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Notes the class of every call, and fails one before or after its effect. */
final class RecordingGate implements SinkCalls {

  final List<String> seen = new ArrayList<>();
  @Nullable String failBefore;
  @Nullable String failAfter;

  @Override
  public @Nullable Object pass(String callClass, Call call) throws Throwable {
    seen.add(callClass);
    if (callClass.equals(failBefore)) {
      throw new java.io.IOException("injected before " + callClass);
    }
    Object result = call.proceed();
    if (callClass.equals(failAfter)) {
      throw new java.io.IOException("injected after " + callClass);
    }
    return result;
  }
}
