/** What a comparison says in the end: spreads, targets, a table and the ratio line. */
@NullMarked
package dev.twophase.benchmarks.report;

import org.jspecify.annotations.NullMarked;
