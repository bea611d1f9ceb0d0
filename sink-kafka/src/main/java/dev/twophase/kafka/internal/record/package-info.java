/** Turns records of the job into records of Kafka; not for users. */
@NullMarked
package dev.twophase.kafka.internal.record;

import org.jspecify.annotations.NullMarked;
