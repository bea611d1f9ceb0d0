/** Rows into databases. */
@NullMarked
package dev.twophase.benchmarks.jdbc;

import org.jspecify.annotations.NullMarked;
