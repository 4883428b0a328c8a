package io.spyhop.server.crash;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A client's program, run with this version's client library and with another one's. It uses
 * nothing that the other version does not have. Arguments: ZooKeeper's port, then what to do.
 */
public final class UpgradeClient {
  static final TableName TABLE = TableName.valueOf("upgrade");
  private static final Duration LONG = Duration.ofMinutes(3);

  private UpgradeClient() {}

  /**
   * {@code create}, {@code ddl NAME}, {@code ddl-mixed NAME}, {@code verify}, or {@code ask
   * WHERE..}.
   */
  public static void main(String[] args) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.set("hbase.zookeeper.property.clientPort", args[0]);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Spyhop spyhop = Spyhop.connect(connection)) {
      switch (args[1]) {
        case "create" -> create(spyhop);
        case "ddl" -> ddl(spyhop, args[2], false);
        case "ddl-mixed" -> ddl(spyhop, args[2], true);
        case "verify" -> say("missing " + spyhop.admin().verify(TABLE, "name", false).missing());
        default -> {
          for (int i = 2; i < args.length; i++) {
            ask(spyhop, args[i]);
          }
        }
      }
    }
  }

  private static void say(String line) {
    System.out.println("> " + line);
  }

  private static IndexDefinition index(String name, IndexKind kind, String column, ValueType type) {
    return IndexDefinition.builder(name).kind(kind).column("f:" + column).type(type).build();
  }

  private static void create(Spyhop spyhop) throws IOException {
    spyhop.admin().createIndex(TABLE, index("price", IndexKind.LOCAL, "price", ValueType.LONG));
    spyhop
        .admin()
        .createIndex(
            TABLE, index("name", IndexKind.GLOBAL, "name", ValueType.STRING), List.of("n5"));
    spyhop.admin().createIndex(TABLE, index("day", IndexKind.STATS, "day", ValueType.LONG));
    spyhop.admin().waitUntilActive(TABLE, LONG);
    say("created " + spyhop.admin().listIndexes(TABLE).size());
  }

  /**
   * @param mixed whether region servers of both versions run: then a global index is not believed,
   *     as the older ones do not note which regions they have
   */
  private static void ddl(Spyhop spyhop, String name, boolean mixed) throws IOException {
    List<IndexDefinition> made =
        List.of(
            index(name + "l", IndexKind.LOCAL, "day", ValueType.LONG),
            index(name + "g", IndexKind.GLOBAL, "price", ValueType.LONG));
    for (IndexDefinition d : made) {
      if (d.kind() == IndexKind.GLOBAL) {
        spyhop.admin().createIndex(TABLE, d, List.of(500L));
      } else {
        spyhop.admin().createIndex(TABLE, d);
      }
    }
    if (!mixed) {
      spyhop.admin().waitUntilActive(TABLE, LONG);
    }
    say("status " + spyhop.admin().status(TABLE).size());
    for (IndexDefinition d : made) {
      spyhop.admin().dropIndex(TABLE, d.name());
    }
    say("left " + spyhop.admin().listIndexes(TABLE).size());
  }

  private static void ask(Spyhop spyhop, String where) throws IOException {
    List<String> rows = new ArrayList<>();
    Query query = Query.where(where);
    try (RowCursor cursor = spyhop.table(TABLE).query(query)) {
      for (Result r : cursor) {
        rows.add(Bytes.toString(r.getRow()));
      }
    }
    boolean explained = !spyhop.table(TABLE).explain(query).toText().isEmpty();
    say(where + ": " + explained + " " + String.join(" ", rows));
  }
}
