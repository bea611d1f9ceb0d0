package dev.twophase.benchmarks.filecommit;

import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.SimpleVersionedStringSerializer;

/** The bucket is the first characters of the record. */
public final class BucketOfRecord implements BucketAssigner<String, String> {

  public static final int LENGTH = 4;

  private static final long serialVersionUID = 1L;

  @Override
  public String getBucketId(String record, Context context) {
    return record.substring(0, LENGTH);
  }

  @Override
  public SimpleVersionedSerializer<String> getSerializer() {
    return SimpleVersionedStringSerializer.INSTANCE;
  }
}
