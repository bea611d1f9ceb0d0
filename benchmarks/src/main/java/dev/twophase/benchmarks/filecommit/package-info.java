/** From the barrier to visible files, where a checkpoint has many of them. */
@NullMarked
package dev.twophase.benchmarks.filecommit;

import org.jspecify.annotations.NullMarked;
