/** What whole jobs of all sinks are fed with and measured by. */
@NullMarked
package dev.twophase.benchmarks.job;

import org.jspecify.annotations.NullMarked;
