package dev.twophase.testkit.internal.trace;

/** How far runs of one schedule are alike, and so what a repetition can show. */
public enum Determinism {
  /** No threads but the kit's, its clock, a system in memory: each run has the same trace. */
  D0,
  /** Threads of the sink: what each attempt's calls add up to is the same once they are at rest. */
  D1,
  /** Real servers and real time: only verdicts and faults that fired can be compared. */
  D2
}
