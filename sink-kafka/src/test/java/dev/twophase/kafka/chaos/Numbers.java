package dev.twophase.kafka.chaos;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.functions.MapFunction;

/**
 * Numbers as records: key, colon, number; slowly enough for something to happen meanwhile. The pace
 * is that of all jobs of this JVM, and so can be changed while they run.
 */
final class Numbers implements MapFunction<Long, String> {

  static final int KEYS = 7;

  private static final long serialVersionUID = 1L;

  private static final long USUAL_MILLIS = 2;
  private static final long SLOW_MILLIS = 200;

  /** Beyond it numbers are slow. */
  private static volatile long quickUpTo = Long.MAX_VALUE;

  private static volatile long latest;

  /**
   * Keeps jobs from coming to their end while a test does something to them: said before they
   * start, because on a busy machine they may be over before the test sees anything of them.
   */
  static void slowBehind(long number) {
    quickUpTo = number;
  }

  static void usualPace() {
    quickUpTo = Long.MAX_VALUE;
  }

  /** What has passed last, in whatever job of this JVM. */
  static long latest() {
    return latest;
  }

  static String key(String record) {
    return record.substring(0, record.indexOf(':'));
  }

  static long number(String record) {
    return Long.parseLong(record.substring(record.indexOf(':') + 1));
  }

  static String record(long number) {
    return number % KEYS + ":" + number;
  }

  @Override
  public String map(Long number) {
    long millis = number > quickUpTo ? SLOW_MILLIS : USUAL_MILLIS;
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    latest = number;
    return record(number);
  }
}
