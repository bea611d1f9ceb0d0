package dev.twophase.jdbc;

import java.io.Serializable;

/**
 * Sets the parameters of a statement from a record.
 *
 * @param <T> type of the records
 */
@FunctionalInterface
public interface ParameterBinder<T> extends Serializable {

  void bind(T record, Parameters parameters) throws Exception;
}
