/** One sink three times, for the guide "Coming from TwoPhaseCommitSinkFunction". */
@NullMarked
package dev.twophase.examples.migration;

import org.jspecify.annotations.NullMarked;
