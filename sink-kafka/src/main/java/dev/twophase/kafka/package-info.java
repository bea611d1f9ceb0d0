/**
 * Exactly-once writing to Kafka, with proven outcomes: {@link
 * dev.twophase.kafka.TransactionalKafkaSink}.
 */
@NullMarked
package dev.twophase.kafka;

import org.jspecify.annotations.NullMarked;
