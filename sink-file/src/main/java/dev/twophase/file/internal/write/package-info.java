/** From the first record to the prepared transaction. */
@NullMarked
package dev.twophase.file.internal.write;

import org.jspecify.annotations.NullMarked;
