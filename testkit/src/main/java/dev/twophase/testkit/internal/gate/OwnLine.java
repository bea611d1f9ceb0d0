package dev.twophase.testkit.internal.gate;

/**
 * Keeps what one thread writes in every call apart from what another does. Such objects live long,
 * so that the garbage collector moves those of all threads next to each other; in one cache line
 * each write would take it away from the other thread.
 */
@SuppressWarnings("unused")
public abstract class OwnLine {

  private long p0;
  private long p1;
  private long p2;
  private long p3;
  private long p4;
  private long p5;
  private long p6;
  private long p7;
  private long p8;
  private long p9;
  private long p10;
  private long p11;
  private long p12;
  private long p13;
  private long p14;
  private long p15;
}
