package dev.twophase.testkit.internal.operator.plan;

import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Where records of one operator go.
 *
 * @param target index of the receiving node
 * @param input number of its input, from 1
 * @param chained whether Flink runs both operators in one task: then records are copied, else they
 *     travel as bytes
 * @param serializer of the records, serialized: each attempt deploys its own
 * @param tag of the side output that feeds the edge; null for the main output
 */
@SuppressWarnings("ArrayRecordComponent") // plans are never compared
public record PlannedEdge(
    int target, int input, boolean chained, byte[] serializer, @Nullable OutputTag<?> tag) {}
