/** Runs the protocol on Kafka; not for users. */
@NullMarked
package dev.twophase.kafka.internal;

import org.jspecify.annotations.NullMarked;
