package io.spyhop.server.index.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.VerifyPage;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.global.repair.RepairForwarder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The regions of base tables on whatever server, asked as the system user. Thread-safe. */
final class BaseRegions implements RepairForwarder {
  private static final Logger LOG = LoggerFactory.getLogger(BaseRegions.class);

  /** Entries in one call: they are all looked at before it is answered. */
  private static final int FORWARDED = 500;

  private final IoSupplier<Connection> connections;

  BaseRegions(IoSupplier<Connection> connections) {
    this.connections = connections;
  }

  @Override
  public void forward(TableName base, EntryList entries) throws IOException {
    Connection connection = connections.get();
    try (Table table = connection.getTable(base)) {
      for (List<Entry> some : byRegion(connection, base, entries.entries())) {
        EntryList list = new EntryList(entries.index(), entries.incarnation(), some);
        for (EntryList part : list.parts(FORWARDED)) {
          ServerCalls.ask(
              table.coprocessorService(some.get(0).row()), Question.FORWARD, part.encode());
        }
      }
    }
  }

  /**
   * Has the regions look at entries that cells can have; those that nothing is behind are repaired.
   *
   * @return false if a region cannot tell now; all may be asked for again
   */
  boolean look(TableName base, IndexDefinition index, List<Entry> entries) throws IOException {
    Connection connection = connections.get();
    List<Entry> sound = entries.stream().filter(Entry::isSound).toList();
    try (Table table = connection.getTable(base)) {
      for (List<Entry> some : byRegion(connection, base, sound)) {
        byte[] request =
            new VerifyRequest(
                    index.name(), index.incarnation(), true, new byte[0], some.size(), some)
                .encode();
        byte[] answer =
            ServerCalls.ask(
                table.coprocessorService(some.get(0).row()), Question.DANGLING, request);
        if (VerifyPage.decode(answer).looked() < some.size()) {
          return false;
        }
      }
    }
    return true;
  }

  private static Collection<List<Entry>> byRegion(
      Connection connection, TableName base, List<Entry> entries) throws IOException {
    Map<byte[], List<Entry>> byRegion = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    try (RegionLocator locator = connection.getRegionLocator(base)) {
      for (Entry e : entries) {
        byte[] start = locator.getRegionLocation(e.row(), true).getRegion().getStartKey();
        byRegion.computeIfAbsent(start, s -> new ArrayList<>()).add(e);
      }
    }
    return byRegion.values();
  }

  /**
   * Tells which regions, by their encoded names, are none of the table's any more: as of the look
   * that is taken when it is asked for.
   */
  Supplier<Predicate<String>> gone(TableName base) {
    return () -> {
      try (Admin admin = connections.get().getAdmin()) {
        Set<String> regions =
            admin.getRegions(base).stream()
                .map(RegionInfo::getEncodedName)
                .collect(Collectors.toSet());
        return region -> !regions.contains(region);
      } catch (IOException e) {
        LOG.warn("Cannot tell which regions {} has; lists of others wait", base, e);
        return region -> false;
      }
    };
  }
}
