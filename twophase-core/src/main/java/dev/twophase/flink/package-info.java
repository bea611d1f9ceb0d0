/** The adapters to Flink's two sink APIs. */
@NullMarked
package dev.twophase.flink;

import org.jspecify.annotations.NullMarked;
