/** The classic pipeline: Kafka, a windowed count, Kafka; and lines from a socket to Kafka. */
@NullMarked
package dev.twophase.examples.kafka;

import org.jspecify.annotations.NullMarked;
