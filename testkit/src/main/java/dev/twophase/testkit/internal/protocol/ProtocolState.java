package dev.twophase.testkit.internal.protocol;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a checkpoint holds for a subtask: the prepared transactions that wait for their commit.
 *
 * @param prepared their binary forms, oldest first; nobody changes the arrays
 * @param line the connector's; of several, as after a change of parallelism, the newest
 */
record ProtocolState(List<byte[]> prepared, OptionalLong line) {
  ProtocolState {
    prepared = List.copyOf(prepared);
  }
}
