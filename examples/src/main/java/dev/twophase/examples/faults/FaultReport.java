package dev.twophase.examples.faults;

/**
 * A planned fault that has struck and from which the job has recovered.
 *
 * @param kind what it was
 * @param where it struck
 * @param checkpoint the latest complete checkpoint then, or the one being committed
 * @param recoveredMillis from the (last) strike to the first commit of a transaction begun after it
 */
public record FaultReport(FaultKind kind, String where, long checkpoint, long recoveredMillis) {}
