package dev.twophase.testkit.internal.operator.plan;

import java.util.List;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.streaming.api.graph.StreamConfig;

/**
 * One operator of the expanded sink, ready to be deployed any number of times.
 *
 * @param key stable name of the node over all parallelisms; its state is found under it
 * @param name what Flink calls the operator
 * @param id Flink's id of the operator, made from the key
 * @param factory the serialized operator factory
 * @param config what the operator reads of its set-up; shared, never changed
 * @param inputEdges number of edges into each input
 * @param outputs where its records go
 */
@SuppressWarnings("ArrayRecordComponent") // plans are never compared
public record PlannedNode(
    String key,
    String name,
    OperatorID id,
    byte[] factory,
    StreamConfig config,
    List<Integer> inputEdges,
    List<PlannedEdge> outputs) {}
