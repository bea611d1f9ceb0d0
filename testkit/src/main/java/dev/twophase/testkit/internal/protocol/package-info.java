/** The fastest tier: the protocol engine and a connector, without Flink's runtime. */
@NullMarked
package dev.twophase.testkit.internal.protocol;

import org.jspecify.annotations.NullMarked;
