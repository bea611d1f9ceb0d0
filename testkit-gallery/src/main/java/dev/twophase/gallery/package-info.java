/** Broken sinks that the test kit must refute, and correct ones that it must never accuse. */
@NullMarked
package dev.twophase.gallery;

import org.jspecify.annotations.NullMarked;
