/** Processes and binaries. */
@NullMarked
package dev.twophase.testkit.jdbc.internal;

import org.jspecify.annotations.NullMarked;
