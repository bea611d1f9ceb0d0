package dev.twophase.jdbc.internal;

import dev.twophase.jdbc.ColumnValue;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What values are of, as far as it can be told before there are any. */
public final class ValueTypes {

  private static final Logger LOG = LoggerFactory.getLogger(ValueTypes.class);

  private ValueTypes() {}

  /**
   * The type that a column's value says it is of, or that the method returns to which it refers:
   * that of {@code Order::id}, say. {@code Object} if it cannot be told, as of most lambdas.
   */
  public static Class<?> of(ColumnValue<?> value) {
    Class<?> said = value.type();
    if (said != Object.class || !value.getClass().isSynthetic()) {
      return wrapped(said);
    }
    try {
      Method form = value.getClass().getDeclaredMethod("writeReplace");
      form.setAccessible(true);
      return form.invoke(value) instanceof SerializedLambda lambda
          ? wrapped(returned(lambda, value.getClass().getClassLoader()))
          : Object.class;
    } catch (ReflectiveOperationException
        | InaccessibleObjectException
        | TypeNotPresentException hidden) {
      LOG.debug("The type of a column's values cannot be told", hidden);
      return Object.class;
    }
  }

  private static Class<?> returned(SerializedLambda lambda, ClassLoader loader) {
    return MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), loader)
        .returnType();
  }

  private static Class<?> wrapped(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }
}
