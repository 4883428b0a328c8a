package io.spyhop.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.balancer.LoadBalancerFactory;
import org.junit.jupiter.api.Test;

/**
 * Every cluster that Spyhop brings along is installed as {@code conf/hbase-site-spyhop.xml} says.
 */
class SpyhopClusterTest {
  private static final String INDEXES = "spyhop.ifile.dir";
  private static final String BALANCER = "hbase.master.loadbalancer.class";

  /** Settings of a file, as they stand there. */
  private static Map<String, String> of(String file) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(Path.of("..", file).toUri()));
    Map<String, String> settings = new HashMap<>();
    conf.forEach(s -> settings.put(s.getKey(), s.getValue()));
    return settings;
  }

  private static Map<String, String> installation() {
    Map<String, String> all = of("conf/hbase-site-spyhop.xml");
    assertThat(all).containsKeys(INDEXES, BALANCER);
    all.remove(INDEXES);
    return all;
  }

  @Test
  void clustersOfTheCommandLine() {
    assertThat(SpyhopCluster.settings("file:///there"))
        .containsAllEntriesOf(installation())
        .containsEntry(INDEXES, "file:///there")
        .hasSize(installation().size() + 1);
  }

  @Test
  void containers() {
    assertThat(of("docker/conf/hbase-site.xml"))
        .containsAllEntriesOf(installation())
        .hasEntrySatisfying(INDEXES, dir -> assertThat(dir).contains("SPYHOP_DATA"));
  }

  @Test
  void theMasterHasTheBalancer() {
    Configuration conf = new Configuration(false);
    SpyhopCluster.settings("file:///there").forEach(conf::set);
    assertThat(LoadBalancerFactory.getLoadBalancer(conf).getClass().getSimpleName())
        .isEqualTo("BucketBalancer");
  }
}
