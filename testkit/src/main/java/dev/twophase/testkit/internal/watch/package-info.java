/** Calls into the sink that freeze, that never return, or that end a run without a proof. */
@NullMarked
package dev.twophase.testkit.internal.watch;

import org.jspecify.annotations.NullMarked;
