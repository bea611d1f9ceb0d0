/** Producers and the open transaction; not for users. */
@NullMarked
package dev.twophase.kafka.internal.write;

import org.jspecify.annotations.NullMarked;
