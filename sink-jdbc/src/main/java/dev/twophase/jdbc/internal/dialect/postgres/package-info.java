/** PostgreSQL, and its ways of taking many rows at once. */
@NullMarked
package dev.twophase.jdbc.internal.dialect.postgres;

import org.jspecify.annotations.NullMarked;
