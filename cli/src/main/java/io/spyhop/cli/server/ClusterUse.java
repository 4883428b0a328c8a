package io.spyhop.cli.server;

import io.spyhop.bench.Pause;
import io.spyhop.bench.ServerUse;
import io.spyhop.cluster.Cluster;
import io.spyhop.cluster.Server;
import io.spyhop.cluster.ServerRole;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Reads what a cluster's servers use, by JMX and from their logs. Stateless. */
public final class ClusterUse {
  private static final String NAME_NODE = "Hadoop:service=NameNode,name=NameNodeActivity";
  private static final String REGIONS = "Hadoop:service=HBase,name=RegionServer,sub=Regions";
  private static final String META =
      "Namespace_hbase_table_meta_region_1588230740_metric_readRequestCount";

  private static final String IPC = "Hadoop:service=HBase,name=RegionServer,sub=IPC";
  private static final String SPYHOP =
      "Hadoop:service=HBase,name=RegionServer,sub=Coprocessor.RegionServer"
          + ".CP_io.spyhop.server.hook.SpyhopRegionServer";

  private static final int TRIES = 100;
  private static final Duration PAUSE = Duration.ofMillis(100);

  private ClusterUse() {}

  /** A question to one server. */
  @FunctionalInterface
  private interface Question {
    long ask(MBeanServerConnection server) throws IOException, JMException;
  }

  /** Asks all servers, which have JMX and run; what asking costs lies between two times. */
  public static ServerUse of(Cluster cluster) throws IOException {
    String system = ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME;
    List<Server> servers = cluster.servers(ServerRole.REGION_SERVER);
    long cpuBefore = sum(servers, s -> number(s, system, "ProcessCpuTime"));
    long meta = sum(servers, s -> numberOrZero(s, REGIONS, META));
    long ops = sum(cluster.servers(ServerRole.NAME_NODE), ClusterUse::fileOperations);
    long sent = sum(servers, s -> number(s, IPC, "sentBytes"));
    long scans =
        sum(
            servers,
            s ->
                numberOrZero(s, SPYHOP, "SpyhopIndexedQueries")
                    + numberOrZero(s, SPYHOP, "SpyhopFallbacks"));
    long heap = sum(servers, ClusterUse::heapAfterCollection);
    long lines = 0;
    for (Server server : servers) {
      try (Stream<String> all = Files.lines(server.log())) {
        lines += all.count();
      }
    }
    long threads =
        sum(servers, s -> number(s, ManagementFactory.THREAD_MXBEAN_NAME, "ThreadCount"));
    long files = sum(servers, s -> number(s, system, "OpenFileDescriptorCount"));
    long cpuAfter = sum(servers, s -> number(s, system, "ProcessCpuTime"));
    return new ServerUse(cpuBefore, cpuAfter, heap, threads, files, ops, meta, lines, scans, sent);
  }

  @SuppressWarnings("BanJNDI") // what answers is a process of our own, at the loopback address
  private static long sum(List<Server> servers, Question question) throws IOException {
    long sum = 0;
    for (Server server : servers) {
      String url =
          "service:jmx:rmi:///jndi/rmi://"
              + ServerConfiguration.LOCALHOST
              + ":"
              + server.jmxPort()
              + "/jmxrmi";
      try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
        sum += question.ask(connector.getMBeanServerConnection());
      } catch (JMException e) {
        throw new IOException("cannot read the metrics of " + server + ": " + e, e);
      }
    }
    return sum;
  }

  private static ObjectName name(String name) {
    try {
      return new ObjectName(name);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  /** HBase takes its beans away for a moment after regions have come or gone. */
  private static long number(MBeanServerConnection server, String bean, String attribute)
      throws IOException, JMException {
    for (int i = 1; i < TRIES && !server.isRegistered(name(bean)); i++) {
      Pause.of(PAUSE, "waiting for metrics");
    }
    return ((Number) server.getAttribute(name(bean), attribute)).longValue();
  }

  /** Of what one server has, and others do not. */
  private static long numberOrZero(MBeanServerConnection server, String bean, String attribute)
      throws IOException, JMException {
    try {
      return number(server, bean, attribute);
    } catch (AttributeNotFoundException e) {
      return 0;
    }
  }

  private static long fileOperations(MBeanServerConnection server) throws IOException, JMException {
    return number(server, NAME_NODE, "TotalFileOps");
  }

  private static long heapAfterCollection(MBeanServerConnection server)
      throws IOException, JMException {
    ObjectName memory = name(ManagementFactory.MEMORY_MXBEAN_NAME);
    server.invoke(memory, "gc", new Object[0], new String[0]);
    return MemoryUsage.from((CompositeData) server.getAttribute(memory, "HeapMemoryUsage"))
        .getUsed();
  }
}
