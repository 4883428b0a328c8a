package io.spyhop.server.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;

/** The clusters that the model check runs on. */
enum ModelClusters {
  /** Settings as the tests' own, but repairs need not wait long. */
  PLAIN {
    @Override
    TestCluster start() {
      return TestCluster.start(TestCluster.SERVERS, conf -> common(conf, 100));
    }
  },
  /** Everything spills, falls back, comes in pieces or has to wait. */
  SMALL {
    @Override
    TestCluster start() {
      return TestCluster.start(
          TestCluster.SERVERS,
          conf -> {
            common(conf, 0);
            conf.setInt("spyhop.global.repair.buffer", 3);
            conf.setInt("spyhop.global.repair.rows", 2);
            conf.setInt("spyhop.global.repair.queue", 10);
            conf.setInt("spyhop.global.repair.memory", 50);
            conf.setInt("spyhop.build.memory", 3_000);
            conf.setInt("spyhop.build.stream.bytes", 3 << 20); // not for all that write at once
            conf.setInt("spyhop.build.row.max", 200);
            conf.setInt("spyhop.cost.setup", 1);
            conf.setInt("spyhop.query.memory", 100_000);
            conf.setInt("spyhop.query.sort.budget", 4_000);
            conf.setInt(FIRST_REGIONS, 16); // each region is scanned
            conf.setInt("spyhop.matches.bytes", 10_000);
            conf.setInt("spyhop.job.queue", 3);
            conf.setInt("spyhop.view.memory", 2_000);
            conf.setInt("spyhop.fetch.chunk", 300);
            conf.setInt("spyhop.sweep.ms", 200);
            conf.setInt("spyhop.sweep.absent.ms", 300);
          });
    }
  },
  /** Index files are on HDFS. */
  SHARED {
    @Override
    TestCluster start() {
      return TestCluster.start(
          TestCluster.SERVERS,
          conf -> {
            common(conf, 200);
            conf.set("spyhop.ifile.dir", "/spyhop-index");
            conf.setInt("spyhop.sweep.ms", 200);
            conf.setInt("spyhop.sweep.absent.ms", 300);
          });
    }
  },
  /** As on an object store: renames are copies, and HBase tracks store files in lists. */
  OBJECTS {
    @Override
    TestCluster start() throws IOException {
      TestCluster cluster =
          TestCluster.start(
              TestCluster.SERVERS,
              conf -> {
                common(conf, 100);
                conf.set("fs.hdfs.impl", CopyingFiles.class.getName());
                conf.set(StoreFileTrackerFactory.TRACKER_IMPL, "FILE");
              });
      HFileSystem files = (HFileSystem) cluster.util().getTestFileSystem();
      assertThat(files.getBackingFs()).isInstanceOf(CopyingFiles.class);
      return cluster;
    }
  },
  /** Access control and visibility labels; every question is asked for a user, too. */
  SECURED {
    @Override
    TestCluster start() throws Exception {
      TestCluster cluster =
          Secured.start(
              TestCluster.SERVERS,
              "",
              VisibilityController.class.getName(),
              conf -> common(conf, 100));
      ModelSecurity.addLabels(cluster);
      return cluster;
    }
  };

  private static final String FIRST_REGIONS = "spyhop.client.first.regions";

  static final String GRACE = "spyhop.global.grace.ms";

  /** Whether HBase compacts beside the history, stores and memstores; then answers settle. */
  static boolean isRestless() {
    return Boolean.getBoolean("spyhop.restless");
  }

  private static void common(Configuration conf, long grace) {
    // What a client sorts may be all of a table with wide rows.
    conf.setLong("spyhop.client.sort.bytes", 1L << 30);
    conf.setInt(FIRST_REGIONS, 1);
    conf.setLong(GRACE, grace);
    if (isRestless()) {
      conf.setDouble("hbase.memstore.inmemoryflush.threshold.factor", 0.000_01);
    }
  }

  /** Starts it. */
  abstract TestCluster start() throws Exception;

  /** The one that {@code -Dspyhop.cluster} names. */
  static ModelClusters asked() {
    return valueOf(System.getProperty("spyhop.cluster", "plain").toUpperCase(Locale.ROOT));
  }
}
