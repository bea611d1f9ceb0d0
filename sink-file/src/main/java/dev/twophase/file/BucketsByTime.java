package dev.twophase.file;

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

  BucketsByTime {
    Objects.requireNonNull(DateTimeFormatter.ofPattern(pattern), "pattern");
    Objects.requireNonNull(zone, "zone");
    if (length.isNegative() || length.isZero()) {
      throw new IllegalArgumentException("length is " + length + ": use a positive one");
    }
  }

  @Override
  public boolean isComplete(String bucket, long watermark) {
    TemporalAccessor begin =
        DateTimeFormatter.ofPattern(pattern)
            .parseBest(bucket, LocalDateTime::from, LocalDate::from);
    LocalDateTime local =
        begin instanceof LocalDate day ? day.atStartOfDay() : (LocalDateTime) begin;
    // A watermark of t says that no record of a time up to t will come.
    return watermark >= after(local.plus(length).minusNanos(1)).toEpochMilli() - 1;
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
