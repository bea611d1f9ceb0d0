/** Enumerates what can go wrong, runs all of it up to a bound, and shortens what was found. */
@NullMarked
package dev.twophase.testkit.internal.explore;

import org.jspecify.annotations.NullMarked;
