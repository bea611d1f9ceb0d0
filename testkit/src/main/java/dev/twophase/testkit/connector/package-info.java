/** Drives one connector step by step, for the unit tests of whoever writes one. */
@NullMarked
package dev.twophase.testkit.connector;

import org.jspecify.annotations.NullMarked;
