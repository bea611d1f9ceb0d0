/** What is known and refused of a job before its first record. */
@NullMarked
package dev.twophase.internal.flink.setup;

import org.jspecify.annotations.NullMarked;
