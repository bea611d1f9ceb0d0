package dev.twophase.benchmarks.filecommit;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;

/**
 * The most heap used since a moment, above what was used then. Pools peak at different times, so
 * their sum is an upper bound, for both sides alike.
 */
final class PeakHeap {

  private final List<MemoryPoolMXBean> pools;
  private final long before;

  private PeakHeap(List<MemoryPoolMXBean> pools, long before) {
    this.pools = pools;
    this.before = before;
  }

  /** Collects garbage and counts from here. */
  static PeakHeap fromHere() {
    List<MemoryPoolMXBean> pools =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    System.gc();
    long before = 0;
    for (MemoryPoolMXBean pool : pools) {
      pool.resetPeakUsage();
      before += pool.getUsage().getUsed();
    }
    return new PeakHeap(pools, before);
  }

  double mebibytes() {
    long peak = 0;
    for (MemoryPoolMXBean pool : pools) {
      peak += pool.getPeakUsage().getUsed();
    }
    return (peak - before) / (double) (1 << 20);
  }
}
