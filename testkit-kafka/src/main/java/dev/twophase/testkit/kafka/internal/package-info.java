/** How a broker is configured, forked and ended. */
@NullMarked
package dev.twophase.testkit.kafka.internal;

import org.jspecify.annotations.NullMarked;
