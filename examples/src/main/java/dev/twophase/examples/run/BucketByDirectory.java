package dev.twophase.examples.run;

import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.SimpleVersionedStringSerializer;

/** One bucket for each directory at the top of the input, one for the files beside them. */
final class BucketByDirectory implements BucketAssigner<String, String> {

  private static final long serialVersionUID = 1L;

  @Override
  public String getBucketId(String record, Context context) {
    int end = record.indexOf('\t');
    int slash = record.lastIndexOf('/', end);
    return slash < 0 ? "top" : "in-" + record.substring(0, record.indexOf('/'));
  }

  @Override
  public SimpleVersionedSerializer<String> getSerializer() {
    return SimpleVersionedStringSerializer.INSTANCE;
  }
}
