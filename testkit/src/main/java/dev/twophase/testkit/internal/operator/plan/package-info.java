/** What Flink's translator makes of a sink, taken down so that it can be deployed many times. */
@NullMarked
package dev.twophase.testkit.internal.operator.plan;

import org.jspecify.annotations.NullMarked;
