package io.spyhop.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;

/**
 * Counts calls to region servers, as HBase's own client metrics do. Only connections made with
 * {@link #counted} count. Stateless.
 */
public final class ClientRpcs {
  private static final String ENABLED = "hbase.client.metrics.enable";
  private static final String CALLS = "metrics:name=*.rpcCount_ClientService_*";

  private ClientRpcs() {}

  /** A configuration for connections whose calls count. */
  public static Configuration counted(Configuration conf) {
    Configuration counted = new Configuration(conf);
    counted.setBoolean(ENABLED, true);
    return counted;
  }

  /** How many calls there were so far. */
  public static long count() throws IOException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    try {
      long count = 0;
      for (ObjectName name : beans.queryNames(new ObjectName(CALLS), null)) {
        count += ((Number) beans.getAttribute(name, "Count")).longValue();
      }
      return count;
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException(CALLS, e);
    } catch (JMException e) {
      throw new IOException("cannot read the client's metrics: " + e, e);
    }
  }
}
