package io.spyhop.client.internal.admin;

import io.spyhop.client.SpyhopNotInstalledException;
import io.spyhop.client.internal.global.Refusals;
import io.spyhop.core.protocol.Protocol;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that the master and every live region server run Spyhop in a version that this client can
 * speak to: a server without it builds nothing, and one without its jar refuses queries
 * (correctness rule 22). Stateless, thread-safe.
 */
public final class InstallationCheck {
  private static final Logger LOG = LoggerFactory.getLogger(InstallationCheck.class);

  /** The servers that do not answer as they should, each with its name, by what is wrong. */
  private static final class Found {
    final List<String> without = new ArrayList<>();
    final List<String> others = new ArrayList<>();
    final List<String> silent = new ArrayList<>();
  }

  /**
   * Asks all servers. HBase lets only those ask who have ADMIN on everything: for others there is
   * no check, as indexes that need no other server's help are safe without it.
   *
   * @param ofMaster what the master is asked to do, which takes the same right, for the message;
   *     empty if nothing
   * @throws AccessDeniedException if something, for who has not that right
   * @throws SpyhopNotInstalledException if some do not answer as they should; the message names
   *     them
   */
  public void require(Admin admin, Optional<String> ofMaster) throws IOException {
    Found found = new Found();
    try {
      ask("master " + admin.getMaster(), admin.coprocessorService(), found);
      for (ServerName server : admin.getRegionServers()) {
        ask("region server " + server, admin.coprocessorService(server), found);
      }
    } catch (AccessDeniedException e) {
      if (ofMaster.isPresent()) {
        throw mayNot(ofMaster.get(), e);
      }
      LOG.info("Servers are not asked whether they run Spyhop: {}", Refusals.text(e));
      return;
    }
    judge(found);
  }

  private static AccessDeniedException mayNot(String deed, AccessDeniedException e) {
    AccessDeniedException clear =
        new AccessDeniedException(deed + " takes ADMIN on everything: " + Refusals.text(e));
    clear.initCause(e);
    return clear;
  }

  private static void judge(Found found) throws SpyhopNotInstalledException {
    if (!found.others.isEmpty()) {
      throw new SpyhopNotInstalledException(
          "Spyhop speaks another protocol than this client, which speaks "
              + Protocol.OLDEST
              + " to "
              + Protocol.CURRENT
              + ", on "
              + String.join(", ", found.others)
              + ": install versions that are neighbours");
    }
    if (!found.without.isEmpty()) {
      throw new SpyhopNotInstalledException(
          "Spyhop is not loaded on "
              + String.join(", ", found.without)
              + ": put its jar into HBase's lib/ and the properties of"
              + " conf/hbase-site-spyhop.xml into hbase-site.xml there, and restart these servers");
    }
    if (!found.silent.isEmpty()) {
      throw new SpyhopNotInstalledException(
          "not every server says whether it runs Spyhop: " + String.join("; ", found.silent));
    }
  }

  private static void ask(String name, CoprocessorRpcChannel server, Found found)
      throws IOException {
    try {
      byte[] answer = ServerCalls.ask(server, Question.VERSION, new byte[0]);
      String version = new String(answer, StandardCharsets.US_ASCII);
      if (!Protocol.isSpoken(version)) {
        found.others.add(name + " (protocol " + version + ")");
      }
    } catch (IOException e) {
      LOG.debug("{} does not say which version of Spyhop it has", name, e);
      Optional<AccessDeniedException> denied = Refusals.find(e, AccessDeniedException.class);
      if (denied.isPresent()) {
        throw denied.get();
      }
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      if (Refusals.find(e, UnknownProtocolException.class).isPresent()) {
        found.without.add(name);
      } else {
        found.silent.add(name + ": " + Refusals.text(e));
      }
    }
  }
}
