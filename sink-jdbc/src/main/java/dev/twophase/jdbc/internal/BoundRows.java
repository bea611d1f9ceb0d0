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
  private static final Object UNSET = new Object();

  private final ParameterBinder<T> binder;
  private transient @Nullable Collected collected;
  private transient @Nullable Integer expected;

  public BoundRows(ParameterBinder<T> binder) {
    this.binder = binder;
  }

  @Override
  public void expect(int values) {
    expected = values;
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
    checkAllSet(parameters);
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

  /** What is forgotten would be NULL, which changes nothing at all in many a WHERE. */
  private void checkAllSet(Collected parameters) {
    int wanted = expected == null ? parameters.count : expected;
    for (int i = 1; i <= wanted; i++) {
      if (i > parameters.count || parameters.values[i - 1] == UNSET) {
        throw new IllegalArgumentException(
            "The binder of sql(...) has not set parameter "
                + i
                + " of "
                + wanted
                + ": set each of them, to null where that is meant");
      }
    }
    if (parameters.count > wanted) {
      throw new IllegalArgumentException(
          "The binder of sql(...) has set parameter "
              + parameters.count
              + ", and the statement has "
              + wanted);
    }
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
        Arrays.fill(values, count, index, UNSET);
        count = index;
      }
      values[index - 1] = value;
    }
  }
}
