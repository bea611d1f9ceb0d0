package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bucket is complete when no time in it can come any more, on days of every length. */
class BucketsByTimeTest {

  @ParameterizedTest
  @CsvSource({
    // An ordinary day, the one of 25 hours, and the one of 23.
    "Europe/Amsterdam, yyyy-MM-dd,     2026-01-31,     PT24H, 2026-01-31T23:00:00Z",
    "Europe/Amsterdam, yyyy-MM-dd,     2026-10-25,     PT24H, 2026-10-25T23:00:00Z",
    "Europe/Amsterdam, yyyy-MM-dd,     2026-03-29,     PT24H, 2026-03-29T22:00:00Z",
    // Hours before, in and after the one that comes twice.
    "Europe/Amsterdam, yyyy-MM-dd--HH, 2026-10-25--01, PT1H,  2026-10-25T00:00:00Z",
    "Europe/Amsterdam, yyyy-MM-dd--HH, 2026-10-25--02, PT1H,  2026-10-25T02:00:00Z",
    "Europe/Amsterdam, yyyy-MM-dd--HH, 2026-10-25--03, PT1H,  2026-10-25T03:00:00Z",
    "Europe/Amsterdam, yyyy-MM-dd--HHmm, 2026-10-25--0200, PT30M, 2026-10-25T01:30:00Z",
    // Hours around the one that does not come.
    "Europe/Amsterdam, yyyy-MM-dd--HH, 2026-03-29--01, PT1H,  2026-03-29T01:00:00Z",
    "Europe/Amsterdam, yyyy-MM-dd--HH, 2026-03-29--01, PT2H,  2026-03-29T01:00:00Z",
    "Europe/Amsterdam, yyyy-MM-dd--HH, 2026-03-29--03, PT1H,  2026-03-29T02:00:00Z",
    // Clocks that are put back at midnight.
    "America/Havana,   yyyy-MM-dd,     2026-10-31,     PT24H, 2026-11-01T04:00:00Z",
    "America/Havana,   yyyy-MM-dd,     2026-11-01,     PT24H, 2026-11-02T05:00:00Z",
    "America/Sao_Paulo, yyyy-MM-dd,    2018-02-17,     PT24H, 2018-02-18T03:00:00Z",
    "UTC,              yyyy-MM-dd--HH, 2026-10-25--02, PT1H,  2026-10-25T03:00:00Z",
  })
  void aBucketEndsWhenItsLastTimeHasPassedForGood(
      ZoneId zone, String pattern, String bucket, Duration length, Instant end) {
    BucketMarker marker = BucketMarker.byTime(pattern, zone, length);
    assertThat(marker.isComplete(bucket, end.toEpochMilli() - 2)).isFalse();
    assertThat(marker.isComplete(bucket, end.toEpochMilli() - 1)).isTrue();
    assertThat(marker.isComplete(bucket, Long.MAX_VALUE)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "yyyy-MM-dd,     PT1H,  but buckets of the pattern yyyy-MM-dd are longer",
    "yyyy-MM-dd--HH, PT59M, use the time from one bucket to the next",
    "yyyy-MM,        PT24H, does not tell the day or the time at which it begins",
    "yyyy-MM-dd,     PT0S,  use a positive one",
    "yyyy-MM-dd hh,  PT1H,  'use HH, the hour of the day'",
    "foo,            PT1H,  'pattern is foo: Unknown pattern letter: f; use one such as'",
  })
  void aLengthOrAPatternThatCannotBeIsRefusedAtOnce(
      String pattern, Duration length, String reason) {
    assertThatThrownBy(() -> BucketMarker.byTime(pattern, ZoneOffset.UTC, length))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }
}
