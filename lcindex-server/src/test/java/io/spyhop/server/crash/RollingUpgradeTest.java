package io.spyhop.server.crash;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A rolling restart from another version to this one and back, under writes, with clients of both:
 * {@code scripts/rolling-upgrade}. Not part of an ordinary run.
 */
@Tag("soak")
class RollingUpgradeTest {
  @Test
  void thereAndBack() throws Exception {
    OtherVersion versions = new OtherVersion();
    String ours = versions.ourVersion();
    String theirs = versions.servers();
    try (CrashCluster cluster = new CrashCluster(2, "512m", theirs)) {
      UpgradedTable table = new UpgradedTable(cluster, List.of(versions.clients(), ours));
      table.check("all old", false);
      table.restarted("server 0 new", true, () -> cluster.restart(0, ours));
      table.restarted("server 1 new", false, () -> cluster.restart(1, ours));
      table.restarted("master new", false, () -> cluster.restartMaster(ours));
      table.restarted("master old", false, () -> cluster.restartMaster(theirs));
      table.restarted("server 0 old", true, () -> cluster.restart(0, theirs));
      table.restarted("server 1 old", false, () -> cluster.restart(1, theirs));
    }
  }
}
