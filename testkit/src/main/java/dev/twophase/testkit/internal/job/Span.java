package dev.twophase.testkit.internal.job;

import java.util.BitSet;

/**
 * What one attempt was given between two barriers.
 *
 * @param attempt number of the attempt
 * @param checkpoint whose barrier ended it
 * @param records at least one; nobody changes the set
 */
public record Span(int attempt, long checkpoint, BitSet records) {}
