package dev.twophase.benchmarks.filecommit;

import java.io.OutputStream;
import java.io.PrintStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** The JVM of an {@link HdfsServer}: says where it listens, and ends with its parent. */
public final class HdfsServerMain {

  static final String READY = "ready ";

  private HdfsServerMain() {}

  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    Configuration configuration = new Configuration();
    configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, args[0]);
    configuration.setLong("dfs.namenode.resource.du.reserved", 0);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(configuration).numDataNodes(1).format(true).build();
    cluster.waitActive();
    answers.println(READY + cluster.getFileSystem().getUri());
    answers.flush();
    System.in.transferTo(OutputStream.nullOutputStream());
    Runtime.getRuntime().halt(0);
  }
}
