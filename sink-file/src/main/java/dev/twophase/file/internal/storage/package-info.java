/** What the sink asks of a file system, and the local one. */
@NullMarked
package dev.twophase.file.internal.storage;

import org.jspecify.annotations.NullMarked;
