/**
 * Runs schedules on a real cluster in one process: real job manager, checkpoints, failover and
 * restore. Only when things happen is decided by the schedule.
 */
@NullMarked
package dev.twophase.testkit.internal.cluster;

import org.jspecify.annotations.NullMarked;
