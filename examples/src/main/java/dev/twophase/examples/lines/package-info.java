/** An exactly-once source: the lines of a directory's files, at a pace somebody else sets. */
@NullMarked
package dev.twophase.examples.lines;

import org.jspecify.annotations.NullMarked;
