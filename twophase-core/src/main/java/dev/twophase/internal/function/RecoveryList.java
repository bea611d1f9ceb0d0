package dev.twophase.internal.function;

import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Restored transactions for a base class that commits them one by one as it iterates. Knows whether
 * one is being committed at the moment, and runs something when the last one has been.
 */
public final class RecoveryList<T> extends AbstractList<T> {

  private final List<T> transactions;
  private final Runnable afterLast;
  private boolean committing;

  public RecoveryList(List<T> transactions, Runnable afterLast) {
    this.transactions = List.copyOf(transactions);
    this.afterLast = afterLast;
  }

  /** Whether the last transaction handed out is still being committed, or its commit failed. */
  public boolean committing() {
    return committing;
  }

  @Override
  public T get(int index) {
    return transactions.get(index);
  }

  @Override
  public int size() {
    return transactions.size();
  }

  /**
   * For one iteration by the base class; each element is committed before the next is asked for.
   */
  @Override
  public Iterator<T> iterator() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        committing = false;
        if (next < transactions.size()) {
          return true;
        }
        afterLast.run();
        return false;
      }

      @Override
      public T next() {
        if (next >= transactions.size()) {
          throw new NoSuchElementException();
        }
        committing = true;
        return transactions.get(next++);
      }
    };
  }
}
