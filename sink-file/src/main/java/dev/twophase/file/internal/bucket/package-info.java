/** Buckets: how they may be called, and when one is complete. */
@NullMarked
package dev.twophase.file.internal.bucket;

import org.jspecify.annotations.NullMarked;
