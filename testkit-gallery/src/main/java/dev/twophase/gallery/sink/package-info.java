/** Sinks written by hand on Sink V2, correct and broken. */
@NullMarked
package dev.twophase.gallery.sink;

import org.jspecify.annotations.NullMarked;
