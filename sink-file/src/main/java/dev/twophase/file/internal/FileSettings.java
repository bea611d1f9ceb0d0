package dev.twophase.file.internal;

import dev.twophase.file.BucketMarker;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.storage.StorageFactory;
import dev.twophase.file.internal.write.FileFormat;
import dev.twophase.file.internal.write.Rolling;
import java.io.Serializable;
import java.net.URI;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.jspecify.annotations.Nullable;

/**
 * What the job author chose, checked by the builder.
 *
 * @param directory absolute
 * @param bufferBytes most memory for the buffers of all open files of a subtask
 * @param ioThreads most file operations of a subtask at once
 * @param manifests whether each checkpoint leaves a list of its files
 * @param marker tells which buckets are complete, if they get markers; only with manifests
 * @param quarantinesLosses whether the job goes on without what is lost
 * @param acceptsRewinds whether going back behind what was published is not refused
 */
public record FileSettings<IN>(
    URI directory,
    FileFormat<IN> format,
    BucketAssigner<IN, String> bucketAssigner,
    FileNames names,
    Rolling rolling,
    long bufferBytes,
    int ioThreads,
    boolean manifests,
    @Nullable BucketMarker marker,
    boolean quarantinesLosses,
    boolean acceptsRewinds,
    StorageFactory storageFactory)
    implements Serializable {

  private static final long serialVersionUID = 1L;
}
