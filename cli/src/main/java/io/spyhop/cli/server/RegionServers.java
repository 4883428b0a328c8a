package io.spyhop.cli.server;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** The region servers of a cluster that do not run in this JVM. */
interface RegionServers {
  /** None. */
  RegionServers IN_THIS_JVM =
      new RegionServers() {
        @Override
        public void start(Configuration conf) {}

        @Override
        public void requireAlive() {}
      };

  /**
   * Starts all of them; called when ZooKeeper runs and before the master does.
   *
   * @param conf where ZooKeeper is, and all other settings
   */
  void start(Configuration conf) throws IOException;

  /**
   * Looks after them.
   *
   * @throws IOException if one has ended
   */
  void requireAlive() throws IOException;
}
