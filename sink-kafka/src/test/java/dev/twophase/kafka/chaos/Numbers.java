package dev.twophase.kafka.chaos;

import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.functions.MapFunction;

/** Numbers as records: key, colon, number; slowly enough for something to happen meanwhile. */
final class Numbers implements MapFunction<Long, String> {

  static final int KEYS = 7;

  private static final long serialVersionUID = 1L;

  private final long nanosEach;

  Numbers(long nanosEach) {
    this.nanosEach = nanosEach;
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
    LockSupport.parkNanos(nanosEach);
    return record(number);
  }
}
