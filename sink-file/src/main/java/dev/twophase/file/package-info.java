/** Exactly-once files: {@link dev.twophase.file.TransactionalFileSink} is the place to start. */
@NullMarked
package dev.twophase.file;

import org.jspecify.annotations.NullMarked;
