/** Sinks as connectors of this library, correct and broken: both Flink APIs run them. */
@NullMarked
package dev.twophase.gallery.connector;

import org.jspecify.annotations.NullMarked;
