package io.spyhop.client.admin;

import io.spyhop.client.SpyhopNotInstalledException;
import io.spyhop.core.region.Protocol;
import io.spyhop.core.region.ServerCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that the master and every live region server run Spyhop in a version that this client can
 * speak to: a server without the jar that opens a region of an indexed table aborts, and the region
 * then kills the next one (correctness rule 22). Stateless, thread-safe.
 */
public final class InstallationCheck {
  private static final Logger LOG = LoggerFactory.getLogger(InstallationCheck.class);

  /**
   * Asks all servers.
   *
   * @throws SpyhopNotInstalledException if some do not answer as they should; the message names
   *     them
   */
  public void require(Admin admin) throws IOException {
    List<String> without = new ArrayList<>();
    List<String> others = new ArrayList<>();
    ask("master " + admin.getMaster(), admin.coprocessorService(), without, others);
    for (ServerName server : admin.getRegionServers()) {
      ask("region server " + server, admin.coprocessorService(server), without, others);
    }
    if (!others.isEmpty()) {
      throw new SpyhopNotInstalledException(
          "Spyhop speaks another protocol than this client, which speaks "
              + Protocol.OLDEST
              + " to "
              + Protocol.CURRENT
              + ", on "
              + String.join(", ", others)
              + ": install versions that are neighbours");
    }
    if (!without.isEmpty()) {
      throw new SpyhopNotInstalledException(
          "Spyhop is not loaded on "
              + String.join(", ", without)
              + ": put its jar into HBase's lib/ and the properties of"
              + " conf/hbase-site-spyhop.xml into hbase-site.xml there, and restart these servers");
    }
  }

  private static void ask(
      String name, CoprocessorRpcChannel server, List<String> without, List<String> others) {
    try {
      byte[] answer = ServerCalls.ask(server, ServerCalls.VERSION_QUESTION, new byte[0]);
      String version = new String(answer, StandardCharsets.US_ASCII);
      if (!Protocol.isSpoken(version)) {
        others.add(name + " (protocol " + version + ")");
      }
    } catch (IOException e) {
      LOG.debug("{} does not say which version of Spyhop it has", name, e);
      without.add(name);
    }
  }
}
