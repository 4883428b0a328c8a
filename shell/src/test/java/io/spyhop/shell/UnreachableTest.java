package io.spyhop.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.shell.HBaseShell.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell's words for no server, and for one without Spyhop. */
class UnreachableTest {
  private static final Path SCRIPTS = Path.of("src", "test", "resources", "without");

  @TempDir private Path home;

  @Test
  void nobodyAnswers() throws Exception {
    Run run = new HBaseShell(home, "127.0.0.1:1").installed().script("spyhop_jobs\n");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .endsWith(
            "ERROR Spyhop::Error: no ZooKeeper answers: 127.0.0.1:1: Connection refused. Does HBase"
                + " run there? The shell asks hbase.zookeeper.quorum of its hbase-site.xml, or what"
                + " is given with -Dhbase.zookeeper.quorum=HOST:PORT\n")
        .doesNotContain("\tat ");
  }

  @Test
  void theServersAreWithoutSpyhop() throws Exception {
    HBaseTestingUtility bare = new HBaseTestingUtility();
    bare.startMiniCluster(1);
    try {
      String port = bare.getConfiguration().get(HConstants.ZOOKEEPER_CLIENT_PORT);
      HBaseShell shell = new HBaseShell(home, "127.0.0.1:" + port).installed();
      Run run = shell.typed(Files.readString(SCRIPTS.resolve("commands.rb")));
      Transcript.check(withoutBanner(run.out()), SCRIPTS.resolve("commands.txt"));
      assertThat(run.err()).doesNotContain("\tat ");
    } finally {
      bare.shutdownMiniCluster();
    }
  }

  /** HBase's version is in it. */
  private static String withoutBanner(String output) {
    return output.substring(output.indexOf("\nhbase:") + 1);
  }
}
