/** Flink's task runtime cut down to what one operator needs: no threads, no directories, no net. */
@NullMarked
package dev.twophase.testkit.internal.operator.task;

import org.jspecify.annotations.NullMarked;
