package io.spyhop.cli.server;

import io.spyhop.core.io.Interruption;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.AttributeList;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Sums over all region servers of what their JMX beans say. Not thread-safe.
 *
 * <p>How many data blocks of HFiles they have read is counted by HBase itself. Every block that a
 * reader asks for is either a hit or a miss of the block cache, whether it is to be cached or not,
 * so hits and misses together are all reads. HBase counts them by the kind of block that was asked
 * for; but a reader that goes on to the next block does not say a kind, so data blocks are all hits
 * and misses without those of all other kinds. Flushes read no blocks.
 */
public final class RegionServerMetrics implements Closeable {
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final String CALLS = "Hadoop:service=HBase,name=RegionServer,sub=IPC";
  private static final String CALL_COUNT = "TotalCallTime_num_ops";
  private static final List<String> OTHER_KINDS =
      List.of(
          "LeafIndex",
          "BloomChunk",
          "Meta",
          "RootIndex",
          "IntermediateIndex",
          "FileInfo",
          "GeneralBloomMeta",
          "DeleteFamilyBloom",
          "Trailer");

  private static final int PERIOD_MILLIS = 100;

  /** The servers' file for {@link #METRICS_PROPERTIES}. */
  public static final String METRICS_FILE = "hadoop-metrics2-hbase.properties";

  /** What it must say: numbers that are a fraction of a second old, instead of ten seconds. */
  public static final String METRICS_PROPERTIES =
      "*.period=0\n*.periodMillis=" + PERIOD_MILLIS + "\n";

  /** Asked again sooner, a server gives the answer it gave before. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(2 * PERIOD_MILLIS);

  /** How long a server may be without its bean. */
  private static final long ABSENT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final List<JMXConnector> servers = new ArrayList<>();
  private long lastRead = System.nanoTime() - FRESH_NANOS;

  /**
   * Connects to servers of this machine.
   *
   * @throws IOException if one does not answer
   */
  @SuppressWarnings("BanJNDI") // what answers is a process of our own, at the loopback address
  public RegionServerMetrics(List<Integer> jmxPorts) throws IOException {
    try {
      for (int port : jmxPorts) {
        String url = "service:jmx:rmi:///jndi/rmi://" + ServerConfiguration.LOCALHOST + ":" + port;
        servers.add(JMXConnectorFactory.connect(new JMXServiceURL(url + "/jmxrmi")));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Data blocks read since the servers started; waits until the metrics are up to date. */
  public long dataBlocksRead() throws IOException {
    awaitFresh();
    long total = 0;
    for (JMXConnector server : servers) {
      total += dataBlocks(server.getMBeanServerConnection());
    }
    lastRead = System.nanoTime();
    return total;
  }

  /** Calls answered since the servers started; waits until the metrics are up to date. */
  public long callsAnswered() throws IOException {
    awaitFresh();
    long total = 0;
    for (JMXConnector server : servers) {
      total += read(server.getMBeanServerConnection(), name(CALLS), List.of(CALL_COUNT));
    }
    lastRead = System.nanoTime();
    return total;
  }

  private static ObjectName name(String name) {
    try {
      return new ObjectName(name);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  private void awaitFresh() throws IOException {
    long wait = FRESH_NANOS - (System.nanoTime() - lastRead);
    if (wait > 0) {
      pause(wait);
    }
  }

  private static void pause(long nanos) throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted waiting for metrics", e);
    }
  }

  private static long dataBlocks(MBeanServerConnection server) throws IOException {
    ObjectName bean = name(BEAN);
    long blocks = read(server, bean, List.of("blockCacheHitCount", "blockCacheMissCount"));
    List<String> others = new ArrayList<>();
    for (String kind : OTHER_KINDS) {
      others.add("blockCache" + kind + "HitCount");
      others.add("blockCache" + kind + "MissCount");
    }
    return blocks - read(server, bean, others);
  }

  /** The sum of some attributes. */
  private static long read(MBeanServerConnection server, ObjectName bean, List<String> names)
      throws IOException {
    AttributeList values = values(server, bean, names);
    if (values.size() != names.size() || values.contains(null)) {
      throw new IOException("a region server has only " + values + " of the metrics " + names);
    }
    return values.asList().stream().mapToLong(a -> ((Number) a.getValue()).longValue()).sum();
  }

  /** HBase takes its beans away for a moment when a server has got or lost regions. */
  private static AttributeList values(
      MBeanServerConnection server, ObjectName bean, List<String> names) throws IOException {
    long deadline = System.nanoTime() + ABSENT_NANOS;
    while (true) {
      try {
        return server.getAttributes(bean, names.toArray(new String[0]));
      } catch (InstanceNotFoundException e) {
        if (System.nanoTime() > deadline) {
          throw new IOException("a region server has no metrics any more: " + e, e);
        }
        pause(TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS));
      } catch (JMException e) {
        throw new IOException("cannot read the metrics of a region server: " + e, e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (JMXConnector server : servers) {
      server.close();
    }
  }
}
