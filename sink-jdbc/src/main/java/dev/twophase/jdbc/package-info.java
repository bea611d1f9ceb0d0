/** Exactly-once writing to databases. Not implemented yet. */
@NullMarked
package dev.twophase.jdbc;

import org.jspecify.annotations.NullMarked;
