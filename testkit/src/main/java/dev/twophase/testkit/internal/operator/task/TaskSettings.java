package dev.twophase.testkit.internal.operator.task;

import java.util.OptionalLong;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;

/**
 * Who a task is and what it knows of its job.
 *
 * @param job the same for all attempts of one run
 * @param subtask index, from 0
 * @param parallelism number of subtasks
 * @param attempt number of the attempt, from 0
 * @param restoredCheckpoint empty at a start without state
 * @param processingTime where the attempt's clock starts, in milliseconds
 * @param jobConfiguration settings of the job
 * @param executionConfig settings of the job's execution
 * @param userClassLoader loads the sink's classes in this attempt
 * @param mailboxPatienceMillis how long, in real time, a sink may wait on its mailbox
 */
public record TaskSettings(
    JobID job,
    int subtask,
    int parallelism,
    int attempt,
    OptionalLong restoredCheckpoint,
    long processingTime,
    Configuration jobConfiguration,
    ExecutionConfig executionConfig,
    ClassLoader userClassLoader,
    long mailboxPatienceMillis) {}
