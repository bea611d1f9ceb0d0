package dev.twophase.internal.function;

import java.util.List;
import org.apache.flink.api.common.state.ListState;

/** A list state that reads as something else than it holds, and writes through. */
public final class RestoredList<T> implements ListState<T> {

  private final ListState<T> delegate;
  private final List<T> restored;

  public RestoredList(ListState<T> delegate, List<T> restored) {
    this.delegate = delegate;
    this.restored = List.copyOf(restored);
  }

  @Override
  public Iterable<T> get() {
    return restored;
  }

  @Override
  public void update(List<T> values) throws Exception {
    delegate.update(values);
  }

  @Override
  public void addAll(List<T> values) throws Exception {
    delegate.addAll(values);
  }

  @Override
  public void add(T value) throws Exception {
    delegate.add(value);
  }

  @Override
  public void clear() {
    delegate.clear();
  }
}
