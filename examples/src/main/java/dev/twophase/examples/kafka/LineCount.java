package dev.twophase.examples.kafka;

import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** Lines and characters of one directory in one window: window, directory, lines, characters. */
final class LineCount extends ProcessWindowFunction<String, String, String, TimeWindow> {

  private static final long serialVersionUID = 1L;

  @Override
  public void process(
      String directory, Context context, Iterable<String> lines, Collector<String> out) {
    long count = 0;
    long characters = 0;
    for (String line : lines) {
      count++;
      characters += CountJob.text(line).length();
    }
    long window = context.window().getStart() / CountJob.LINES_PER_WINDOW;
    out.collect(window + "\t" + directory + "\t" + count + "\t" + characters);
  }
}
