/**
 * The protocol, free of Flink's runtime: no clock, randomness or thread of its own. Both adapters
 * and the test kit's protocol tier drive it.
 */
@NullMarked
package dev.twophase.internal.engine;

import org.jspecify.annotations.NullMarked;
