/** Contenders measured in turns, each in a JVM of its own that lives as long as the comparison. */
@NullMarked
package dev.twophase.benchmarks.run;

import org.jspecify.annotations.NullMarked;
