/** Real Kafka brokers for tests: in processes of their own, which can be killed and frozen. */
@NullMarked
package dev.twophase.testkit.kafka;

import org.jspecify.annotations.NullMarked;
