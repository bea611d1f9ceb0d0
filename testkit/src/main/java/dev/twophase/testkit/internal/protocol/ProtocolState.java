package dev.twophase.testkit.internal.protocol;

import java.util.List;

/**
 * What a checkpoint holds for a subtask: the prepared transactions that wait for their commit.
 *
 * @param prepared their binary forms, oldest first; nobody changes the arrays
 */
record ProtocolState(List<byte[]> prepared) {
  ProtocolState {
    prepared = List.copyOf(prepared);
  }
}
