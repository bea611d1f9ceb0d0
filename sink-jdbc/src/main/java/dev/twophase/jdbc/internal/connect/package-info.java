/** Connections, and what must not leak from them. */
@NullMarked
package dev.twophase.jdbc.internal.connect;

import org.jspecify.annotations.NullMarked;
