package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.commands.Cli.Run;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.global.ServerTime;
import io.spyhop.server.index.global.ControlRows;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command on tables with indexes of each kind, alone and together. */
class IndexKindsTest {
  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final int ROWS = 20;

  static Stream<List<String>> kinds() {
    return Stream.of(
        List.of("local"),
        List.of("global"),
        List.of("stats"),
        List.of("local", "global"),
        List.of("local", "global", "stats"));
  }

  private static String table(List<String> kinds) {
    return "kinds_" + String.join("_", kinds);
  }

  @BeforeAll
  static void fill() throws IOException {
    try (Connection connection = HBASE.connect();
        Admin admin = connection.getAdmin()) {
      for (List<String> kinds : kinds().toList()) {
        TableName name = TableName.valueOf(table(kinds));
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            new byte[][] {Bytes.toBytes("row10")});
        try (Table table = connection.getTable(name)) {
          for (int i = 0; i < ROWS; i++) {
            table.put(put(i));
          }
        }
        admin.flush(name);
      }
    }
  }

  /** Each kind of index has a column of its own, all with the row's number. */
  private static Put put(int row) {
    Put put = new Put(Bytes.toBytes(String.format(Locale.ROOT, "row%02d", row)));
    for (String kind : List.of("local", "global", "stats")) {
      put.addColumn(FAMILY, Bytes.toBytes(kind), Bytes.toBytes((long) row));
    }
    return put;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyCommandKnowsTheKind(List<String> kinds) {
    String table = table(kinds);
    for (String kind : kinds) {
      create(table, kind);
    }
    listing(table, kinds);
    for (String kind : kinds) {
      queries(table, kind);
      rebuilding(table, kind);
    }
    status(table, kinds);
    dropping(table, kinds);
  }

  private static void create(String table, String kind) {
    assertThat(
            HBASE.lines(
                "index",
                "create",
                table,
                kind,
                "--kind",
                kind,
                "--column",
                "d:" + kind,
                "--type",
                "long",
                "--wait",
                "60"))
        .contains("Created index '" + kind + "' on table '" + table + "'.");
  }

  /** The lines below the header, one for each index by name. */
  private static void listing(String table, List<String> kinds) {
    assertThat(firstWords(HBASE.lines("index", "list", table)))
        .containsExactlyElementsOf(kinds.stream().sorted().toList());
  }

  private static void status(String table, List<String> kinds) {
    List<String> lines = HBASE.lines("index", "status", table);
    assertThat(firstWords(lines)).containsExactlyElementsOf(kinds.stream().sorted().toList());
    assertThat(lines.subList(1, lines.size()))
        .allSatisfy(
            line -> assertThat(line).matches("(\\w+) +(?i:\\1) +d:\\1 +LONG +ACTIVE +2/2 .*"));
    assertThat(lines.get(1).split(" {2,}")).hasSameSizeAs(lines.get(0).split(" {2,}"));
  }

  private static List<String> firstWords(List<String> lines) {
    return lines.stream().skip(1).map(l -> l.split(" ")[0]).toList();
  }

  private static void queries(String table, String kind) {
    String where = kind + " BETWEEN 9 AND 10";
    List<String> rows = HBASE.lines("query", table, where, "--select", "d:" + kind);
    assertThat(rows).containsExactly("row09  d:" + kind + "=9", "row10  d:" + kind + "=10");
    assertThat(HBASE.lines("explain", table, where)).isNotEmpty();
    assertThat(String.join("\n", HBASE.lines("explain", table, where, "--analyze")))
        .contains("2 rows");
  }

  private static void rebuilding(String table, String kind) {
    assertThat(HBASE.lines("index", "rebuild", table, kind, "--wait", "60")).hasSize(2);
    List<String> verified = HBASE.lines("index", "verify", table, kind);
    if (kind.equals("stats")) {
      assertThat(verified).hasSize(2).contains("0 of 20 cells are not in the statistics");
    } else {
      assertThat(verified).hasSize(3).contains("0 of 20 cells have no entry");
    }
  }

  private static void dropping(String table, List<String> kinds) {
    List<String> left = new ArrayList<>(kinds);
    for (String kind : kinds) {
      HBASE.lines("index", "drop", table, kind);
      left.remove(kind);
      listing(table, left);
    }
  }

  @Test
  void verifyFailsForMissingEntriesOnly() throws IOException {
    TableName base = TableName.valueOf("verified");
    try (Connection connection = HBASE.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(base)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      create("verified", "global");
      try (Table table = connection.getTable(base);
          Table index = connection.getTable(IndexTable.nameOf(base, "global"))) {
        // A new index's entries are looked at once; what dangles by then is deleted.
        Awaitility.await("all entries to be looked at")
            .atMost(Duration.ofMinutes(1))
            .until(() -> index.get(ControlRows.Look.get()).isEmpty());
        table.put(put(1));
        byte[] entry = firstEntry(index);
        byte[] elsewhere = Bytes.add(entry, Bytes.toBytes("x"));
        index.put(
            new Put(elsewhere).addColumn(IndexTable.ENTRIES, IndexTable.QUALIFIER, new byte[0]));
        assertThat(HBASE.lines("index", "verify", "verified", "global"))
            .contains("0 of 1 cells have no entry", "1 of 2 entries dangle");
        index.delete(fenced(new Delete(entry), connection, index.getName()));
        Run run = HBASE.run("index", "verify", "verified", "global");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("1 of 1 cells have no entry");
        HBASE.lines("index", "verify", "verified", "global", "--repair");
        assertThat(HBASE.lines("index", "verify", "verified", "global"))
            .contains("0 of 1 cells have no entry");
      }
    }
  }

  /** As servers delete entries: this JVM's clock is the server's. */
  private static Delete fenced(Delete delete, Connection connection, TableName index)
      throws IOException {
    try (RegionLocator regions = connection.getRegionLocator(index)) {
      String server = regions.getRegionLocation(delete.getRow()).getServerName().toString();
      long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      delete.setAttribute(ServerTime.FENCE, new ServerTime(server, until).encode());
      return delete;
    }
  }

  private static byte[] firstEntry(Table index) throws IOException {
    try (ResultScanner entries = index.getScanner(IndexTable.ENTRIES)) {
      return entries.next().getRow();
    }
  }
}
