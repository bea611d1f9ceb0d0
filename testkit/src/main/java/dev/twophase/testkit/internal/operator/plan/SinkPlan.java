package dev.twophase.testkit.internal.operator.plan;

import java.util.List;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.configuration.Configuration;

/**
 * A sink as Flink's translator expands it at one parallelism.
 *
 * @param nodes the operators, from the source's side to the end
 * @param entries where the records of the source go
 * @param jobConfiguration settings of the job
 * @param executionConfig settings of the job's execution
 */
public record SinkPlan(
    List<PlannedNode> nodes,
    List<PlannedEdge> entries,
    Configuration jobConfiguration,
    ExecutionConfig executionConfig) {}
