package dev.twophase.jdbc.internal.rows;

/** First byte of an encoded value. Part of the binary form of handles (S1): never renumber. */
public final class ValueTag {

  public static final byte NULL = 0;
  public static final byte FALSE = 1;
  public static final byte TRUE = 2;
  public static final byte INT = 3;
  public static final byte LONG = 4;
  public static final byte DOUBLE = 5;
  public static final byte FLOAT = 6;
  public static final byte SHORT = 7;
  public static final byte BYTE = 8;

  /** In text form. */
  public static final byte DECIMAL = 9;

  /** In UTF-8. */
  public static final byte STRING = 10;

  public static final byte BYTES = 11;

  /** Day since the epoch. */
  public static final byte DATE = 12;

  /** Nanosecond of the day. */
  public static final byte TIME = 13;

  /** Day since the epoch, nanosecond of the day. */
  public static final byte DATE_TIME = 14;

  /** The same, and the offset in seconds. */
  public static final byte OFFSET_DATE_TIME = 15;

  public static final byte UUID = 16;

  /** Number of elements, then each as a value. */
  public static final byte ARRAY = 17;

  /** Milliseconds since the epoch, and the nanoseconds of their second. */
  public static final byte TIMESTAMP = 18;

  private ValueTag() {}
}
