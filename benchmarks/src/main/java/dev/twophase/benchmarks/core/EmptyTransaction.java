package dev.twophase.benchmarks.core;

/** Counts the records it was given, so that writing them cannot be optimised away. */
public final class EmptyTransaction {

  long records;
}
