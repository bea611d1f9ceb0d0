package dev.twophase.file.internal.publish;

import dev.twophase.TransactionId;

/**
 * What the publisher is asked to do.
 *
 * @param checkpointId the checkpoint that holds the handle
 */
public record Commit(TransactionId id, FileHandle handle, long checkpointId) {}
