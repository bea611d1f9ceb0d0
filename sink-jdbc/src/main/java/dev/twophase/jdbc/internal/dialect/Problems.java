package dev.twophase.jdbc.internal.dialect;

/** Told of what would lose data or fail later (E3). */
@FunctionalInterface
public interface Problems {

  /**
   * Refuses to start.
   *
   * @param setting what is wrong
   * @param value its value, without secrets
   * @param remedy what to do, as an imperative
   */
  void refuse(String setting, Object value, String remedy);
}
