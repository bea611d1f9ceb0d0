package dev.twophase.file.internal.bucket;

import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which markers were made, and by which checkpoint: what retiring an abandoned line must know,
 * since only the job knows how it calls them. Empty directories, durable before their markers.
 */
public final class MarkedBuckets {

  /**
   * A marker.
   *
   * @param path below the base directory
   * @param checkpoint whose commit made it
   */
  public record Marked(String bucket, String path, long checkpoint) {}

  private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.(.+)");

  private final Storage storage;
  private final String directory;

  public MarkedBuckets(Storage storage, String sinkName) {
    this.storage = storage;
    this.directory = FileNames.markedBucketsDirectory(sinkName);
  }

  /** Makes the directory of all. */
  void start() throws IOException {
    storage.makeDirectories(directory);
  }

  /** To be called before the marker is made. */
  void add(String bucket, String markerName, long checkpoint) throws IOException {
    String bucketDirectory = directory + "/" + EncodedName.ofBucket(bucket);
    storage.makeDirectories(
        bucketDirectory + "/" + checkpoint + "." + EncodedName.encode(markerName));
    storage.syncDirectory(bucketDirectory);
    storage.syncDirectory(directory);
  }

  /** The markers that were made by later checkpoints than this. */
  public List<Marked> after(long checkpoint) throws IOException {
    List<Marked> found = new ArrayList<>();
    for (Marked marked : all()) {
      if (marked.checkpoint() > checkpoint) {
        found.add(marked);
      }
    }
    return found;
  }

  /** Forgets a marker, which is gone. */
  public void forget(Marked marked) throws IOException {
    String name = FileNames.nameOf(marked.path());
    storage.delete(
        directory
            + "/"
            + EncodedName.ofBucket(marked.bucket())
            + "/"
            + marked.checkpoint()
            + "."
            + EncodedName.encode(name));
  }

  private List<Marked> all() throws IOException {
    List<Marked> all = new ArrayList<>();
    for (String encoded : storage.names(directory)) {
      String bucket = EncodedName.bucketOf(encoded).orElse(null);
      if (bucket != null) {
        for (String name : storage.names(directory + "/" + encoded)) {
          Matcher matcher = NAME.matcher(name);
          if (matcher.matches()) {
            String marker = EncodedName.decode(matcher.group(2));
            String path = BucketNames.join(bucket, marker);
            all.add(new Marked(bucket, path, Long.parseLong(matcher.group(1))));
          }
        }
      }
    }
    return all;
  }
}
