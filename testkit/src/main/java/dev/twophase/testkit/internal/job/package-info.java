/** Flink's job, as far as a sink can tell: executes the steps of a schedule on any tier. */
@NullMarked
package dev.twophase.testkit.internal.job;

import org.jspecify.annotations.NullMarked;
