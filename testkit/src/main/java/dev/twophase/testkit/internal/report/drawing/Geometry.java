package dev.twophase.testkit.internal.report.drawing;

/** Where things are in a timeline: columns of lanes, time running down. In pixels. */
record Geometry(int lanes, int rows) {

  static final double ROW = 25;
  static final double HEAD = 58;
  static final double GUTTER = 250;
  static final double JOB_WIDTH = 172;
  static final double SYSTEM_WIDTH = 156;
  static final double READER_WIDTH = 236;
  static final double BAR = 9;

  private static final double PLEASANT_WIDTH = 1380;
  private static final double NARROWEST_LANE = 142;
  private static final double WIDEST_LANE = 250;
  private static final double LETTER = 6.3;

  double laneWidth() {
    double left = PLEASANT_WIDTH - GUTTER - JOB_WIDTH - SYSTEM_WIDTH - READER_WIDTH;
    return Math.min(WIDEST_LANE, Math.max(NARROWEST_LANE, left / Math.max(1, lanes)));
  }

  /** Letters of the plain font that fit into a lane beside its bar. */
  int lettersInLane() {
    return (int) ((laneWidth() - 26) / LETTER);
  }

  double width() {
    return reader() + READER_WIDTH;
  }

  double height() {
    return HEAD + rows * ROW + 10;
  }

  /** Middle of a row. */
  double y(int row) {
    return HEAD + row * ROW + ROW / 2;
  }

  double top(int row) {
    return HEAD + row * ROW;
  }

  double job() {
    return GUTTER;
  }

  /** Left edge of a lane. */
  double lane(int lane) {
    return GUTTER + JOB_WIDTH + lane * laneWidth();
  }

  /** Middle of the bar in a lane. */
  double bar(int lane) {
    return lane(lane) + 14;
  }

  double system() {
    return lane(lanes);
  }

  /** Middle of the bar of the external system. */
  double systemBar() {
    return system() + 18;
  }

  double reader() {
    return system() + SYSTEM_WIDTH;
  }
}
