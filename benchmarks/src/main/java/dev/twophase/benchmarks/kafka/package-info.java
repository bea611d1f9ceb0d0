/** The Kafka sink against Flink's KafkaSink. */
@NullMarked
package dev.twophase.benchmarks.kafka;

import org.jspecify.annotations.NullMarked;
