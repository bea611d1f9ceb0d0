package dev.twophase.testkit.kafka.internal;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What was asked for.
 *
 * @param secured further listeners, named after their security
 * @param advertised port that a node gives its clients instead of its own, by node id
 */
public record ClusterPlan(
    int nodes,
    OptionalInt transactionVersion,
    Map<String, String> properties,
    Set<String> secured,
    Map<Integer, Integer> advertised,
    List<String> jvmArguments,
    Duration startTimeout,
    Path directory) {}
