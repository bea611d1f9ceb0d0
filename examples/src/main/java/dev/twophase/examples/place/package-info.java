/** Where a demo's data and processes live, and that they go when it does. */
@NullMarked
package dev.twophase.examples.place;

import org.jspecify.annotations.NullMarked;
