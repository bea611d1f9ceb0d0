package dev.twophase.file.internal.write;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.bucket.OpenBuckets;
import dev.twophase.file.internal.manifest.ManifestName;
import dev.twophase.file.internal.manifest.ManifestText;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.publish.PreparedFile;
import dev.twophase.file.internal.publish.PreparedManifest;
import dev.twophase.file.internal.storage.StagedOutput;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/** Stages the manifest of a transaction, beside its files. Used by one thread. */
public final class ManifestWriter {

  private final Storage storage;
  private final FileNames names;
  private final int parts;
  private final Optional<OpenBuckets> buckets;
  private long line;
  private boolean last;

  /**
   * @param parts number of subtasks, each of which leaves a part
   * @param buckets tells the watermark, where buckets get markers
   */
  public ManifestWriter(
      Storage storage, FileNames names, int parts, Optional<OpenBuckets> buckets) {
    this.storage = storage;
    this.names = names;
    this.parts = parts;
    this.buckets = buckets;
  }

  /**
   * Tells which job this is, before the first manifest.
   *
   * @param number above those of all jobs before
   */
  public void start(long number) {
    line = number;
  }

  void endOfInput() {
    last = true;
    buckets.ifPresent(open -> open.watermark(Long.MAX_VALUE));
  }

  PreparedManifest stage(TransactionId id, int part, List<PreparedFile> files) throws IOException {
    ManifestText manifest =
        new ManifestText(
            files.stream()
                .map(
                    file ->
                        new ManifestText.Entry(
                            names.target(id, file), file.length(), file.checksum()))
                .toList());
    byte[] bytes = manifest.format().getBytes(StandardCharsets.UTF_8);
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    String path = FileNames.staged(id, part);
    try (StagedOutput output = storage.create(path)) {
      output.write(bytes, 0, bytes.length);
      output.sync();
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot write the manifest " + storage.fullName(path), error);
    }
    return PreparedManifest.of(
        new PreparedFile(
            FileNames.manifestDirectory(id.sinkName()),
            part,
            bytes.length,
            (int) checksum.getValue()),
        new ManifestName(
                parts,
                id,
                buckets.isPresent()
                    ? OptionalLong.of(buckets.get().watermark())
                    : OptionalLong.empty(),
                line,
                last)
            .text(),
        parts);
  }
}
