package io.spyhop.cli.server;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.security.access.AccessController;

/** An HBase that checks what users may do; the user who starts it is its superuser. */
public final class SecuredHBase {
  private SecuredHBase() {}

  /** Starts it in a directory, with one region server. */
  public static EmbeddedHBase start(Path dir) throws IOException {
    DataDirectory data = DataDirectory.of(dir);
    Configuration conf = ServerConfiguration.of(data, ServerPorts.FREE, 1);
    conf.setBoolean("hbase.security.authorization", true);
    String access = AccessController.class.getName();
    for (String key :
        new String[] {
          CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY,
          CoprocessorHost.REGION_COPROCESSOR_CONF_KEY,
          CoprocessorHost.REGIONSERVER_COPROCESSOR_CONF_KEY
        }) {
      conf.set(key, conf.get(key) == null ? access : conf.get(key) + "," + access);
    }
    return EmbeddedHBase.start(data, ServerPorts.FREE, conf, 1);
  }
}
