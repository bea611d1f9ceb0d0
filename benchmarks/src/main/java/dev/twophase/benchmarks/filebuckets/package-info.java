/** The same files in more and more buckets. */
@NullMarked
package dev.twophase.benchmarks.filebuckets;

import org.jspecify.annotations.NullMarked;
