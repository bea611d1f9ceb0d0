/** A transactional system in memory, the resource of all sinks of the gallery. */
@NullMarked
package dev.twophase.gallery.store;

import org.jspecify.annotations.NullMarked;
