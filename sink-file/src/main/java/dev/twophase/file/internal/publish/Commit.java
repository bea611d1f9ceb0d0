package dev.twophase.file.internal.publish;

/**
 * What the publisher is asked to do.
 *
 * @param checkpointId the checkpoint that holds the handle
 */
public record Commit(FileHandle handle, long checkpointId) {}
