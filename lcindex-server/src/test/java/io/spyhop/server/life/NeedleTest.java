package io.spyhop.server.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.schema.Repair;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.log4j.Logger;
import org.apache.log4j.SimpleLayout;
import org.apache.log4j.WriterAppender;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Nothing of an encrypted family can be read in any file of any kind, HBase's own included. A table
 * that is not encrypted shows that the test looks where something is.
 */
class NeedleTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 30;
  private static final Needles SECRET = new Needles("Secret", 0x5a17c0de3b290000L);
  private static final Needles PLAIN = new Needles("Plain", 0x6b28d1ef4c3a0000L);

  private static TestCluster cluster;

  /** What the journal of the master showed, of whichever table. */
  private static final Set<String> JOURNAL = new ConcurrentSkipListSet<>();

  @BeforeAll
  static void start() {
    cluster =
        TestCluster.start(
            1,
            conf -> {
              conf.set("hbase.coprocessor.master.classes", WatchedMaster.class.getName());
              // The shortest that there is.
              conf.setLong("spyhop.slow.query.ms", 1);
              // Repair lists stay where they are.
              conf.setLong("spyhop.global.grace.ms", Duration.ofMinutes(10).toMillis());
            });
    cluster
        .util()
        .getMiniHBaseCluster()
        .getMaster()
        .getMasterCoprocessorHost()
        .findCoprocessor(WatchedMaster.class)
        .watch(step -> readJournal());
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static void readJournal() throws IOException {
    Path root = CommonFSUtils.getRootDir(cluster.util().getConfiguration());
    FileSystem fs = root.getFileSystem(cluster.util().getConfiguration());
    for (Path file : Needles.files(fs, new Path(root, ".spyhop-ddl"))) {
      byte[] bytes = Needles.read(fs, file);
      SECRET.in("secret journal", bytes).forEach(JOURNAL::add);
      PLAIN.in("plain journal", bytes).forEach(JOURNAL::add);
    }
  }

  private static IndexDefinition index(String name, IndexKind kind, String column, ValueType type) {
    Repair repair = name.equals("staged") ? Repair.STAGED : Repair.STREAMING;
    return IndexDefinition.builder(name)
        .kind(kind)
        .column("f:" + column)
        .type(type)
        .repair(repair)
        .build();
  }

  private static final List<IndexDefinition> INDEXES =
      List.of(
          index("local", IndexKind.LOCAL, "name", ValueType.STRING).toBuilder()
              .layout(Layout.CLUSTERING)
              .build(),
          index("numbers", IndexKind.LOCAL, "number", ValueType.LONG),
          index("streamed", IndexKind.GLOBAL, "name", ValueType.STRING),
          index("staged", IndexKind.GLOBAL, "number", ValueType.LONG));

  /** Two regions, of which the first has all rows, so that values are sampled for boundaries. */
  private static void fill(TableName name, Needles needles, String encryption) throws Exception {
    Admin admin = cluster.admin();
    create(name, needles, encryption);
    admin.flush(name);
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      spyhop.admin().createIndexes(name, INDEXES);
      spyhop.admin().waitUntilActive(name, Duration.ofSeconds(120));
    }
    for (int version = 1; version < 5; version++) {
      write(name, needles, version);
      if (version % 2 == 0) {
        admin.flush(name);
      }
    }
    for (String index : List.of("streamed", "staged")) {
      note(IndexTable.nameOf(name, index), needles);
    }
    admin.majorCompact(name);
    await("the compaction of " + name)
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                cluster.regions(name).stream()
                    .allMatch(r -> r.getStore(F).getStorefilesCount() <= 1));
    Regions.awaitCovered(cluster, name);
  }

  private static void create(TableName name, Needles needles, String encryption)
      throws IOException {
    cluster
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(F)
                        .setEncryptionType(encryption)
                        .build())
                .build(),
            new byte[][] {Bytes.toBytes("m")});
    write(name, needles, 0);
  }

  private static void write(TableName name, Needles needles, int version) throws IOException {
    try (Table table = cluster.connection().getTable(name)) {
      for (int i = 0; i < ROWS; i++) {
        table.put(needles.put(i, version));
      }
    }
  }

  /** An index table's notes name rows and entries; this one is of a kind that nobody reads. */
  private static void note(TableName index, Needles needles) throws IOException {
    Put row = needles.put(0, 0);
    try (Table table = cluster.connection().getTable(index)) {
      table.put(
          new Put(Bytes.add(new byte[] {0, 'x'}, row.getRow()))
              .addColumn(
                  IndexTable.CONTROL,
                  IndexTable.QUALIFIER,
                  CellUtil.cloneValue(row.get(F, Bytes.toBytes("name")).get(0))));
    }
    cluster.admin().flush(index);
  }

  @Test
  void noFileShowsAnything() throws Exception {
    TableName secret = TableName.valueOf("hidden");
    TableName plain = TableName.valueOf("shown");
    fill(secret, SECRET, "AES");
    fill(plain, PLAIN, null);
    cluster.admin().flush(TableName.META_TABLE_NAME);

    assertThat(PLAIN.in(cluster))
        .as("where something is to be seen")
        .contains(
            "row in other files",
            "value in other files",
            "number in other files",
            "row in ifile",
            "value in ifile",
            "value key in ifile",
            "value key in sfile",
            "row in index table",
            "value in index table",
            "value key in index table",
            "number key in index table",
            "row in .spyhop-repair",
            "value key in .spyhop-repair",
            "value key in meta");
    assertThat(JOURNAL).contains("value key in plain journal");
    assertThat(SECRET.in(cluster)).as("in files").isEmpty();
    assertThat(JOURNAL).as("in the journal").noneMatch(f -> f.endsWith("secret journal"));
    for (String index : List.of("streamed", "staged")) {
      assertThat(cluster.admin().getRegions(IndexTable.nameOf(secret, index))).hasSize(1);
    }
  }

  /** What is asked for is as secret as what is stored. */
  @Test
  void theSlowLogShowsNothing() throws Exception {
    assertThat(PLAIN.in("log", slow(TableName.valueOf("slow"), PLAIN, null)))
        .containsExactly("value in log");
    assertThat(SECRET.in("log", slow(TableName.valueOf("slowly"), SECRET, "AES"))).isEmpty();
  }

  /** What the slow log says of queries by a value, of a table that grows until they are slow. */
  private static byte[] slow(TableName name, Needles needles, String encryption) throws Exception {
    create(name, needles, encryption);
    byte[] value = CellUtil.cloneValue(needles.put(1, 0).get(F, Bytes.toBytes("name")).get(0));
    Query query = Query.where("CAST(f:name AS STRING) = '" + Bytes.toString(value) + "'");
    StringWriter lines = new StringWriter();
    WriterAppender appender = new WriterAppender(new SimpleLayout(), lines);
    Logger log = Logger.getLogger("io.spyhop.server.query.SlowQueries");
    log.addAppender(appender);
    AtomicInteger rows = new AtomicInteger();
    try (Spyhop spyhop = Spyhop.connect(cluster.connection());
        Table table = cluster.connection().getTable(name)) {
      await("a query that takes a millisecond")
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                table.put(Stream.generate(() -> other(rows.incrementAndGet())).limit(500).toList());
                try (RowCursor found = spyhop.table(name).query(query)) {
                  assertThat(found).hasSize(1);
                }
                return lines.toString().contains("of table " + name);
              });
    } finally {
      log.removeAppender(appender);
    }
    return Bytes.toBytes(lines.toString());
  }

  private static Put other(int row) {
    return new Put(Bytes.toBytes(row)).addColumn(F, Bytes.toBytes("name"), Bytes.toBytes("other"));
  }
}
