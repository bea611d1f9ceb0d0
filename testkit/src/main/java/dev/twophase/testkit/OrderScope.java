package dev.twophase.testkit;

/** Within what a sink promises to keep the order of records. */
public enum OrderScope {
  /** No order is promised, or the reader cannot tell it. */
  NONE,
  /** Records of one key appear in the order in which they were written (V1). */
  KEY
}
