/** A sink's operators, expanded by Flink and driven without a cluster. */
@NullMarked
package dev.twophase.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
