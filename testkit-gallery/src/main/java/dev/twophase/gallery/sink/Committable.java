package dev.twophase.gallery.sink;

import java.util.List;

/**
 * What the writer hands to the committer.
 *
 * @param id of the prepared transaction; empty if there is none
 * @param token what its commit needs besides
 * @param lingering ids of transactions that nobody will commit, to be aborted with this commit
 */
record Committable(String id, long token, List<String> lingering) {
  Committable {
    lingering = List.copyOf(lingering);
  }
}
