/** Sinks written by hand as sink functions, correct and broken. */
@NullMarked
package dev.twophase.gallery.function;

import org.jspecify.annotations.NullMarked;
