package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.server.index.local.remote.FileFetcher;
import io.spyhop.server.runtime.FewThreads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.net.Address;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other live region servers, asked as the system user over a connection with short timeouts:
 * what does not answer soon is not worth waiting for. Thread-safe.
 */
final class OtherServers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OtherServers.class);
  private static final long FIRST_PAUSE = 100;
  private static final int CALL_MILLIS = 10_000;
  private static final int OPERATION_MILLIS = 20_000;

  private final RegionServerServices self;
  private Connection connection;
  private boolean closed;

  OtherServers(RegionServerServices self) {
    this.self = self;
  }

  private synchronized Connection connection() throws IOException {
    if (closed) {
      throw new InterruptedIOException("the server stops");
    }
    if (connection == null) {
      Configuration conf = FewThreads.copy(self.getConfiguration());
      conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, CALL_MILLIS);
      conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, OPERATION_MILLIS);
      conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 2);
      connection = ConnectionFactory.createConnection(conf);
    }
    return connection;
  }

  /** All of them; those that had the region before come first. */
  List<FileFetcher.Server> list(RegionInfo region) throws IOException {
    Set<Address> former = former(region);
    List<FileFetcher.Server> servers = new ArrayList<>();
    try (Admin admin = connection().getAdmin()) {
      for (ServerName s : admin.getRegionServers()) {
        if (former.contains(s.getAddress())) {
          servers.add(0, new Remote(s));
        } else if (!s.equals(self.getServerName())) {
          servers.add(new Remote(s));
        }
      }
    }
    return servers;
  }

  /** One of them. */
  FileFetcher.Server of(ServerName server) {
    return new Remote(server);
  }

  /** Where the region was, as far as hbase:meta keeps old versions. */
  private Set<Address> former(RegionInfo region) throws IOException {
    Get get =
        new Get(region.getRegionName())
            .addColumn(HConstants.CATALOG_FAMILY, HConstants.SERVER_QUALIFIER)
            .readAllVersions();
    Set<Address> former = new HashSet<>();
    try (Table meta = connection().getTable(TableName.META_TABLE_NAME)) {
      Result found = meta.get(get);
      for (Cell c : found.isEmpty() ? List.<Cell>of() : found.listCells()) {
        former.add(Address.fromString(Bytes.toString(CellUtil.cloneValue(c))));
      }
    }
    former.remove(self.getServerName().getAddress());
    return former;
  }

  /** Which regions of these hbase:meta has, by encoded names. */
  Set<String> known(Set<String> regions) throws IOException {
    Set<String> known = new HashSet<>();
    Scan names =
        new Scan().addFamily(HConstants.CATALOG_FAMILY).setFilter(new FirstKeyOnlyFilter());
    try (Table meta = connection().getTable(TableName.META_TABLE_NAME);
        ResultScanner found = meta.getScanner(names)) {
      for (Result r = found.next(); r != null; r = found.next()) {
        String name = RegionInfo.encodeRegionName(r.getRow());
        if (regions.contains(name)) {
          known.add(name);
        }
      }
    }
    return known;
  }

  private final class Remote implements FileFetcher.Server {
    private final ServerName name;

    Remote(ServerName name) {
      this.name = name;
    }

    @Override
    public byte[] ask(Question question, byte[] payload) throws IOException {
      try (Admin admin = connection().getAdmin()) {
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
      throw Interruption.of("the server stops", e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (connection != null) {
      try {
        connection.close();
      } catch (IOException e) {
        LOG.warn("Closing the connection to other servers failed", e);
      }
    }
  }
}
