package dev.twophase.file.hdfs;

import java.net.URI;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** Tests on the servers that all share, each in a directory of its own. */
abstract class OnHdfs {

  static MiniHdfs hdfs;

  URI directory;

  @BeforeAll
  static void start() throws Exception {
    hdfs = MiniHdfs.shared();
  }

  @BeforeEach
  void directory(TestInfo test) throws Exception {
    directory = hdfs.directory(test.getTestMethod().orElseThrow().getName());
  }
}
