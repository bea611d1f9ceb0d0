/** Judges what became visible against what the job's checkpoints hold. */
@NullMarked
package dev.twophase.testkit.internal.oracle;

import org.jspecify.annotations.NullMarked;
