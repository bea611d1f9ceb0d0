package dev.twophase.jdbc.internal;

import org.apache.flink.types.RowKind;

/**
 * A column's value of records that are changes, of a class that may be missing where there are
 * none.
 */
public interface TellsKind<T> {

  RowKind kindOf(T record);
}
