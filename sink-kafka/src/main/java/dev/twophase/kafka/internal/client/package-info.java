/** What the sink asks of a Kafka cluster besides writing; not for users. */
@NullMarked
package dev.twophase.kafka.internal.client;

import org.jspecify.annotations.NullMarked;
