/**
 * Side by side against the sinks people use today: the command line and the list of comparisons.
 */
@NullMarked
package dev.twophase.benchmarks;

import org.jspecify.annotations.NullMarked;
