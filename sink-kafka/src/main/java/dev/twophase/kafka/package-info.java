/** Exactly-once writing to Kafka. Not implemented yet. */
@NullMarked
package dev.twophase.kafka;

import org.jspecify.annotations.NullMarked;
