package dev.twophase.file;

import java.io.Serializable;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * Decides when a bucket is complete, and names the empty file that then tells readers so, such as
 * {@code _SUCCESS}. For buckets by event time.
 *
 * <p>The marker is made when every subtask has passed a watermark at which the bucket is complete,
 * and all that it wrote until then is visible and durable: after the data, never before. A record
 * that comes for a complete bucket all the same, because it is late, fails the job: take late
 * records out of the stream before the sink.
 *
 * <p>Travels with the job; called by several threads.
 */
@FunctionalInterface
public interface BucketMarker extends Serializable {

  /** Default name of markers. */
  String SUCCESS = "_SUCCESS";

  /**
   * Whether no record for the bucket will follow once event time has come so far. Must stay true
   * for all later watermarks.
   *
   * @param bucket as the bucket assigner named it
   * @param watermark in milliseconds since 1970; {@code Long.MAX_VALUE} at the end of a bounded
   *     stream
   * @throws RuntimeException if the bucket is none that this marker knows; fails the task, unless
   *     the bucket is one that an earlier run began: it goes without a marker then
   */
  boolean isComplete(String bucket, long watermark);

  /** Name of the marker in its bucket, a single path component; {@value #SUCCESS} by default. */
  default String fileName(String bucket) {
    return SUCCESS;
  }

  /**
   * For buckets called by the time at which they begin, as {@code 2026-01-31} or {@code
   * 2026-01-31--14}. A bucket is complete when no time in it can come any more, also on days on
   * which clocks are put forward or back.
   *
   * @param pattern of {@link DateTimeFormatter}, for the whole bucket; without hours it is a day
   * @param zone in which the buckets' times are
   * @param length from a bucket's beginning to its end by the clock on the wall: 24 hours are a
   *     day, whatever its length
   * @throws IllegalArgumentException if the pattern is not valid or does not tell when a bucket
   *     begins, or if the length is not positive or shorter than the pattern's buckets are
   */
  static BucketMarker byTime(String pattern, ZoneId zone, Duration length) {
    return new BucketsByTime(pattern, zone, length);
  }
}
