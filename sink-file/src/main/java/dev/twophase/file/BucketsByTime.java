package dev.twophase.file;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.time.zone.ZoneOffsetTransition;
import java.util.Objects;

/** Buckets called by the time at which they begin. */
record BucketsByTime(String pattern, ZoneId zone, Duration length) implements BucketMarker {

  private static final long serialVersionUID = 1L;

  /** At which buckets of every length begin. */
  private static final LocalDateTime MIDNIGHT = LocalDateTime.of(2024, 1, 1, 0, 0);

  BucketsByTime {
    DateTimeFormatter format = formatter(pattern);
    Objects.requireNonNull(zone, "zone");
    if (length.isNegative() || length.isZero()) {
      throw new IllegalArgumentException("length is " + length + ": use a positive one");
    }
    String bucket = format.format(MIDNIGHT);
    try {
      begin(bucket, format);
    } catch (DateTimeException unclear) {
      throw new IllegalArgumentException(
          "pattern is "
              + pattern
              + ": a bucket such as "
              + bucket
              + " does not tell the day or the time at which it begins; use one such as"
              + " yyyy-MM-dd or yyyy-MM-dd--HH",
          unclear);
    }
    if (bucket.equals(format.format(MIDNIGHT.plus(length)))) {
      throw new IllegalArgumentException(
          "length is "
              + length
              + ", but buckets of the pattern "
              + pattern
              + " are longer, so records would come after the marker: use the time from one bucket"
              + " to the next");
    }
    LocalDateTime noon = MIDNIGHT.plusHours(12);
    if (bucket.equals(format.format(noon)) && !begin(bucket, format).plus(length).isAfter(noon)) {
      throw new IllegalArgumentException(
          "pattern is "
              + pattern
              + ": midnight and noon are in one bucket, "
              + bucket
              + ", though buckets are "
              + length
              + " long; use HH, the hour of the day, and not hh");
    }
  }

  private static DateTimeFormatter formatter(String pattern) {
    try {
      return DateTimeFormatter.ofPattern(pattern);
    } catch (IllegalArgumentException unclear) {
      throw new IllegalArgumentException(
          "pattern is "
              + pattern
              + ": "
              + unclear.getMessage()
              + "; use one such as yyyy-MM-dd or yyyy-MM-dd--HH",
          unclear);
    }
  }

  @Override
  public boolean isComplete(String bucket, long watermark) {
    LocalDateTime local = begin(bucket);
    // A watermark of t says that no record of a time up to t will come.
    return watermark >= after(local.plus(length).minusNanos(1)).toEpochMilli() - 1;
  }

  private LocalDateTime begin(String bucket) {
    try {
      return begin(bucket, DateTimeFormatter.ofPattern(pattern));
    } catch (DateTimeException unclear) {
      throw new IllegalArgumentException(
          "'"
              + bucket
              + "' is no time by the pattern "
              + pattern
              + ": give the bucket assigner and BucketMarker.byTime one pattern",
          unclear);
    }
  }

  private static LocalDateTime begin(String bucket, DateTimeFormatter format) {
    TemporalAccessor begin = format.parseBest(bucket, LocalDateTime::from, LocalDate::from);
    return begin instanceof LocalDate day ? day.atStartOfDay() : (LocalDateTime) begin;
  }

  /** When a bucket's last time has passed for good: clocks that are put back show it twice. */
  private Instant after(LocalDateTime last) {
    ZoneOffsetTransition change = zone.getRules().getTransition(last);
    if (change == null) {
      return last.atZone(zone).toInstant().plusNanos(1);
    }
    return change.isGap()
        ? change.getInstant()
        : last.toInstant(change.getOffsetAfter()).plusNanos(1);
  }
}
