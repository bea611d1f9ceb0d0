/** Decorators through which faults reach a sink. */
@NullMarked
package dev.twophase.testkit.internal.faults;

import org.jspecify.annotations.NullMarked;
