package dev.twophase.file.hdfs;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/** Local files by way of Hadoop, which would start a process to see or set each permission. */
public final class UnprotectedLocalFileSystem extends RawLocalFileSystem {

  @Override
  public void setPermission(Path path, FsPermission permission) {}

  @Override
  public void access(Path path, FsAction mode) {}
}
