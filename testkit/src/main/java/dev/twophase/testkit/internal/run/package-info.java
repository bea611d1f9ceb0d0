/** One run: a fresh namespace and sink, a job, an oracle, and what they add up to. */
@NullMarked
package dev.twophase.testkit.internal.run;

import org.jspecify.annotations.NullMarked;
