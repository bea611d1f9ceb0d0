/** What every tier offers to the job model that executes schedules. */
@NullMarked
package dev.twophase.testkit.internal.tier;

import org.jspecify.annotations.NullMarked;
