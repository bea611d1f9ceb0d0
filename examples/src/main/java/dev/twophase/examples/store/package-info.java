/** A transactional sink of one's own, for a small embedded store. */
@NullMarked
package dev.twophase.examples.store;

import org.jspecify.annotations.NullMarked;
