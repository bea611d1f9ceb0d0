package dev.twophase.file.contract;

import dev.twophase.file.hdfs.HdfsFiles;
import dev.twophase.file.hdfs.HdfsSinkContract;
import dev.twophase.file.hdfs.MiniHdfs;
import dev.twophase.testkit.ClusterKit;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract on a real Flink cluster: what the faster tiers find must hold there as well. */
@Tag("one-flink-line")
class ClusterContractTest {

  private static final String[] SCHEDULES = {
    "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !commit#1=A; s0.kill; s0.up 1; settle",
    "2pk/1 p=2; s*.in 2; s*.bar 1; s*.in 1; s*.bar 2; done 2; s*.nab 1; s0.ntf 2; s*.fail; up 2;"
        + " settle",
    "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1,p=4; settle",
    "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !Storage.publish#1=K; s*.kill; up 1; settle",
  };

  @Test
  void C2_onLocalDisk() {
    assertPasses(OnLocalDisk.class);
  }

  @Test
  void C2_onHdfs() throws Exception {
    OnHdfs.uses(MiniHdfs.shared().fileSystem().getUri());
    assertPasses(OnHdfs.class);
  }

  private static void assertPasses(Class<? extends SinkUnderTest<?>> sink) {
    try (ClusterKit kit = ClusterKit.of(sink)) {
      for (String schedule : SCHEDULES) {
        kit.assertPasses(schedule);
      }
    }
  }

  /** Made in the process of the cluster. */
  static final class OnLocalDisk extends FileSinkContract {

    OnLocalDisk() throws IOException {
      root = Files.createDirectories(Path.of("target", "cluster-contract")).toAbsolutePath();
    }

    @Override
    public Object sink(SinkSetup setup) {
      return configured(setup).buildSink();
    }
  }

  /** Made there too, but its servers are the test's: that process is killed in the end. */
  static final class OnHdfs extends HdfsSinkContract {

    private static final Path ADDRESS = Path.of("target", "cluster-contract.hdfs");

    private final HdfsFiles hdfs;

    OnHdfs() throws IOException {
      hdfs = HdfsFiles.at(URI.create(Files.readString(ADDRESS)));
    }

    static void uses(URI servers) throws IOException {
      Files.writeString(ADDRESS, servers.toString());
    }

    @Override
    protected HdfsFiles hdfs() {
      return hdfs;
    }

    @Override
    public Object sink(SinkSetup setup) {
      return configured(setup).buildSink();
    }
  }
}
