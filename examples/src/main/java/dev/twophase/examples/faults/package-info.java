/** Planned faults: when they strike, and the wrappers around a connector through which they do. */
@NullMarked
package dev.twophase.examples.faults;

import org.jspecify.annotations.NullMarked;
