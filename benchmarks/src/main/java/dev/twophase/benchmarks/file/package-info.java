/** File sinks: records per second, and the time from a barrier to visible files. */
@NullMarked
package dev.twophase.benchmarks.file;

import org.jspecify.annotations.NullMarked;
