package dev.twophase.file.internal.publish;

import dev.twophase.HandleSerializers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Names the files of a prepared transaction, in full: another process commits them holding nothing
 * but this (W2), and a later release does so although it names its own files otherwise.
 *
 * @param base the base directory as the storage names it
 * @param stagedPrefix path of the staged files below the base directory, up to the part number
 * @param targetPrefix name of the visible files, up to the part number
 * @param targetSuffix name of the visible files, after the part number
 * @param files at least one
 */
public record FileHandle(
    String base,
    String stagedPrefix,
    String targetPrefix,
    String targetSuffix,
    List<PreparedFile> files) {

  private static final int VERSION = 1;

  private static final SimpleVersionedSerializer<FileHandle> SERIALIZER =
      HandleSerializers.versioned(VERSION, FileHandle::write, FileHandle::read);

  public FileHandle {
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(stagedPrefix, "stagedPrefix");
    Objects.requireNonNull(targetPrefix, "targetPrefix");
    Objects.requireNonNull(targetSuffix, "targetSuffix");
    files = List.copyOf(files);
  }

  /** The binary form (S1). */
  public static SimpleVersionedSerializer<FileHandle> serializer() {
    return SERIALIZER;
  }

  /** Path of the hidden file. */
  String staged(PreparedFile file) {
    return stagedPrefix + file.part();
  }

  /** Path of the visible file. */
  String target(PreparedFile file) {
    String name = targetPrefix + file.part() + targetSuffix;
    return file.bucket().isEmpty() ? name : file.bucket() + "/" + name;
  }

  private static void write(FileHandle handle, DataOutputView out) throws IOException {
    out.writeUTF(handle.base);
    out.writeUTF(handle.stagedPrefix);
    out.writeUTF(handle.targetPrefix);
    out.writeUTF(handle.targetSuffix);
    out.writeInt(handle.files.size());
    for (PreparedFile file : handle.files) {
      out.writeUTF(file.bucket());
      out.writeInt(file.part());
      out.writeLong(file.length());
      out.writeInt(file.checksum());
    }
  }

  private static FileHandle read(int version, DataInputView in) throws IOException {
    String base = in.readUTF();
    String stagedPrefix = in.readUTF();
    String targetPrefix = in.readUTF();
    String targetSuffix = in.readUTF();
    int count = in.readInt();
    List<PreparedFile> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(new PreparedFile(in.readUTF(), in.readInt(), in.readLong(), in.readInt()));
    }
    return new FileHandle(base, stagedPrefix, targetPrefix, targetSuffix, files);
  }
}
