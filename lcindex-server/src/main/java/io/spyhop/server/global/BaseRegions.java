package io.spyhop.server.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.EntryList;
import io.spyhop.core.region.ServerCalls;
import io.spyhop.server.global.repair.RepairForwarder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The regions of base tables on whatever server, asked as the system user. Thread-safe. */
final class BaseRegions implements RepairForwarder {
  private static final Logger LOG = LoggerFactory.getLogger(BaseRegions.class);

  private final Connections connections;

  /** Gives a connection that is not closed after use. */
  @FunctionalInterface
  interface Connections {
    Connection get() throws IOException;
  }

  BaseRegions(Connections connections) {
    this.connections = connections;
  }

  @Override
  public void forward(TableName base, EntryList entries) throws IOException {
    Connection connection = connections.get();
    Map<byte[], List<Entry>> byRegion = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    try (RegionLocator locator = connection.getRegionLocator(base);
        Table table = connection.getTable(base)) {
      for (Entry e : entries.entries()) {
        byte[] start = locator.getRegionLocation(e.row(), true).getRegion().getStartKey();
        byRegion.computeIfAbsent(start, s -> new ArrayList<>()).add(e);
      }
      for (List<Entry> some : byRegion.values()) {
        EntryList list = new EntryList(entries.index(), entries.incarnation(), some);
        ServerCalls.ask(
            table.coprocessorService(some.get(0).row()),
            ServerCalls.FORWARD_QUESTION,
            list.encode());
      }
    }
  }

  /** Whether a region, by its encoded name, is none of the table's any more. */
  Predicate<String> gone(TableName base) {
    return region -> {
      try (Admin admin = connections.get().getAdmin()) {
        return admin.getRegions(base).stream().noneMatch(r -> r.getEncodedName().equals(region));
      } catch (IOException e) {
        LOG.warn("Cannot tell whether {} still is a region of {}, is asked again", region, base, e);
        return false;
      }
    };
  }
}
