/** The job of the README. */
@NullMarked
package dev.twophase.examples.quickstart;

import org.jspecify.annotations.NullMarked;
