/** What happened in one run, step by step: the matter of a report. */
@NullMarked
package dev.twophase.testkit.internal.trace;

import org.jspecify.annotations.NullMarked;
