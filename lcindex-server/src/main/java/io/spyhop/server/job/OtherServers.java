package io.spyhop.server.job;

import io.spyhop.core.region.ServerCalls;
import io.spyhop.server.remote.FileFetcher;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/** The other live region servers, asked as the system user. Thread-safe. */
final class OtherServers {
  private static final long FIRST_PAUSE = 100;

  private final RegionServerServices self;

  OtherServers(RegionServerServices self) {
    this.self = self;
  }

  /** All of them, in no particular order. */
  List<FileFetcher.Server> list() throws IOException {
    List<FileFetcher.Server> servers = new ArrayList<>();
    try (Admin admin = self.getConnection().getAdmin()) {
      for (ServerName s : admin.getRegionServers()) {
        if (!s.equals(self.getServerName())) {
          servers.add(new Remote(s));
        }
      }
    }
    return servers;
  }

  private final class Remote implements FileFetcher.Server {
    private final ServerName name;

    Remote(ServerName name) {
      this.name = name;
    }

    @Override
    public byte[] ask(String question, byte[] payload) throws IOException {
      try (Admin admin = self.getConnection().getAdmin()) {
        return ServerCalls.ask(admin.coprocessorService(name), question, payload);
      }
    }

    @Override
    public String toString() {
      return name.toString();
    }
  }

  /** Waits twice as long after each try. */
  static void pause(int tries) throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(FIRST_PAUSE << tries);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server stops");
    }
  }
}
