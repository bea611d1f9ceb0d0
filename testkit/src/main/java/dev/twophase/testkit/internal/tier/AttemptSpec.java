package dev.twophase.testkit.internal.tier;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of one subtask.
 *
 * @param subtask index, from 0
 * @param parallelism number of subtasks
 * @param attempt number of the attempt, from 0, counted over the whole run
 * @param restoredCheckpoint empty at a start without state
 * @param state what the checkpoint holds for this subtask; null at a start without state
 */
public record AttemptSpec<S>(
    int subtask,
    int parallelism,
    int attempt,
    OptionalLong restoredCheckpoint,
    @Nullable S state) {}
