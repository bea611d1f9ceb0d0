package dev.twophase.jdbc.internal;

import dev.twophase.jdbc.ParameterBinder;
import dev.twophase.jdbc.Parameters;
import dev.twophase.jdbc.internal.rows.RowBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Rows of the parameters of a statement. */
public final class BoundRows<T> implements RowWriter<T> {

  private static final long serialVersionUID = 1L;
  private static final int MOST = 10_000;

  private final ParameterBinder<T> binder;
  private transient @Nullable Collected collected;

  public BoundRows(ParameterBinder<T> binder) {
    this.binder = binder;
  }

  @Override
  public void write(T record, RowBuffer buffer) throws Exception {
    Collected parameters = collected;
    if (parameters == null) {
      parameters = new Collected();
      collected = parameters;
    }
    parameters.count = 0;
    binder.bind(record, parameters);
    buffer.beginRow(RowBuffer.WRITE, parameters.count);
    for (int i = 0; i < parameters.count; i++) {
      try {
        buffer.value(parameters.values[i]);
      } catch (IllegalArgumentException unfit) {
        throw new IllegalArgumentException(
            "Parameter " + (i + 1) + ": " + unfit.getMessage(), unfit);
      }
    }
    buffer.endRow();
  }

  private static final class Collected implements Parameters {
    @Nullable Object[] values = new @Nullable Object[16];
    int count;

    @Override
    public void set(int index, @Nullable Object value) {
      if (index < 1 || index > MOST) {
        throw new IllegalArgumentException("Parameter " + index + ": use 1 to " + MOST);
      }
      if (index > values.length) {
        values = Arrays.copyOf(values, Math.max(index, 2 * values.length));
      }
      if (index > count) {
        Arrays.fill(values, count, index, null);
        count = index;
      }
      values[index - 1] = value;
    }
  }
}
