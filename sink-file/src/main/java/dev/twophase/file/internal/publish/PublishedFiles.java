package dev.twophase.file.internal.publish;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.storage.Storage;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a sink has published below its directory. A directory below that is one of a sink of the
 * same name is that sink's, with all that is in it: names alone would not tell the two apart.
 */
public final class PublishedFiles {

  private static final Logger LOG = LoggerFactory.getLogger(PublishedFiles.class);

  private final Storage storage;
  private final String sinkName;

  public PublishedFiles(Storage storage, String sinkName) {
    this.storage = storage;
    this.sinkName = sinkName;
  }

  /** The paths of all visible files, its own and foreign ones. */
  public List<String> all() throws IOException {
    List<String> paths = new ArrayList<>();
    storage.anyVisibleFile(
        this::isOwn,
        path -> {
          paths.add(path);
          return false;
        });
    return paths;
  }

  /** A published transaction that began at or after a checkpoint. */
  public Optional<TransactionId> since(long checkpointId) throws IOException {
    List<TransactionId> proof = new ArrayList<>(1);
    storage.anyVisibleFile(
        this::isOwn,
        path -> {
          Optional<TransactionId> id =
              FileNames.transactionOfPublished(FileNames.nameOf(path), sinkName)
                  .filter(published -> published.since() >= checkpointId);
          if (id.isPresent()) {
            LOG.info("{} was published since checkpoint {}", storage.fullName(path), checkpointId);
            proof.add(id.get());
          }
          return id.isPresent();
        });
    return proof.stream().findFirst();
  }

  /**
   * Checks that a bucket is in no other sink's directory.
   *
   * @throws IOException if one of the same name has it
   */
  public void checkBucket(String bucket) throws IOException {
    int end = bucket.isEmpty() ? -1 : bucket.indexOf('/');
    while (!bucket.isEmpty()) {
      String directory = end < 0 ? bucket : bucket.substring(0, end);
      if (!isOwn(directory)) {
        throw new FileSystemException(
            storage.fullName(directory),
            null,
            "the directory of another sink called '"
                + sinkName
                + "', whose files could not be told from this one's; choose another bucket or name");
      }
      if (end < 0) {
        return;
      }
      end = bucket.indexOf('/', end + 1);
    }
  }

  private boolean isOwn(String directory) throws IOException {
    return storage.status(directory + "/" + FileNames.stagingDirectory(sinkName)).isAbsent();
  }
}
