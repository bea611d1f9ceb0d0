/**
 * Exactly-once writing to databases: {@link dev.twophase.jdbc.TransactionalJdbcSink} is the place
 * to start.
 */
@NullMarked
package dev.twophase.jdbc;

import org.jspecify.annotations.NullMarked;
