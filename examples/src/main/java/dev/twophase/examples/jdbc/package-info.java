/** Rows for a database. */
@NullMarked
package dev.twophase.examples.jdbc;

import org.jspecify.annotations.NullMarked;
