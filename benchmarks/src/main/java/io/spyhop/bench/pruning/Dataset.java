package io.spyhop.bench.pruning;

import io.spyhop.bench.Compaction;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.PutLoader;
import io.spyhop.bench.Tables;
import io.spyhop.bench.tpcds.TpcdsRows;
import io.spyhop.bench.tpcds.TpcdsTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Some tables of the workload, cut into regions of a size. Not thread-safe. */
final class Dataset {
  private static final int BATCH = 500;
  private static final int KILO = 1_000;
  private static final int PERCENT = 100;

  /** A prime that is not near a multiple of 100: spreads chosen rows over all regions. */
  private static final int STEP = 37;

  /** Sales are generated day by day: the first ones alone would be of one month. */
  private static final int SALES_PARTS = 50;

  private final Connection connection;
  private final Declaring declaring;
  private final Settings settings;
  private final String prefix;
  private final List<TpcdsTable> tables;

  /** Declares what is kept of a table's columns. */
  @FunctionalInterface
  interface Declaring {
    /** The table has no rows yet. */
    void declare(TableName name, TpcdsTable table) throws IOException;
  }

  /**
   * @param declaring for each table that is made
   * @param prefix of the tables' names, unique on the cluster
   */
  Dataset(
      Connection connection,
      Declaring declaring,
      Settings settings,
      String prefix,
      List<TpcdsTable> tables) {
    this.connection = connection;
    this.declaring = declaring;
    this.settings = settings;
    this.prefix = prefix;
    this.tables = List.copyOf(tables);
  }

  /** The table as it is called here. */
  TableName name(TpcdsTable table) {
    return TableName.valueOf(prefix + table.tableName());
  }

  List<TpcdsTable> tables() {
    return tables;
  }

  private TpcdsRows rows(TpcdsTable table) {
    return table == TpcdsTable.STORE_SALES
        ? TpcdsRows.spread(table, settings.scale(), settings.sales(), SALES_PARTS)
        : new TpcdsRows(table, settings.scale(), Long.MAX_VALUE);
  }

  /**
   * Makes and loads all tables; then all rows are in HFiles.
   *
   * @param partitionKb the size of a region
   */
  void load(int partitionKb, Progress.Factory progress) throws IOException {
    try (Progress shown = progress.start("Loading " + prefix + " tables", tables.size());
        PutLoader loader = new PutLoader(connection)) {
      for (TpcdsTable table : tables) {
        create(table, partitionKb);
        // Flushed before anything is measured: a log would only take time.
        write(loader, table, row -> true, Durability.SKIP_WAL);
        shown.step(1);
      }
    }
    flush();
  }

  private void create(TpcdsTable table, int partitionKb) throws IOException {
    Partitioning partitioning = new Partitioning();
    rows(table).forEachRemaining(r -> partitioning.row(table.key(r), TpcdsTable.textBytes(r)));
    int least = table == TpcdsTable.STORE ? 1 : Settings.MIN_REGIONS;
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name(table))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(TpcdsTable.FAMILY))
              .build(),
          partitioning.splits((long) partitionKb * KILO, least));
    }
    Placement.even(connection, name(table));
    declaring.declare(name(table), table);
  }

  private void write(PutLoader loader, TpcdsTable table, IntPredicate chosen, Durability durability)
      throws IOException {
    Batches batches = new Batches(table, rows(table), chosen, durability);
    try (Progress silent = Progress.NONE.start("", 1)) {
      loader.load(name(table), batches, silent);
    }
  }

  /** Writes some of the rows of dimension tables again as they are, without a flush. */
  void rewrite(int fromPercent, int toPercent) throws IOException {
    try (PutLoader loader = new PutLoader(connection)) {
      for (TpcdsTable table : tables) {
        if (table != TpcdsTable.STORE_SALES) {
          write(
              loader,
              table,
              row -> {
                int percent = (int) ((long) row * STEP % PERCENT);
                return percent >= fromPercent && percent < toPercent;
              },
              Durability.USE_DEFAULT);
        }
      }
    }
  }

  /** Some rows of a table as they are written. */
  List<Put> sample(TpcdsTable table, int every) {
    Batches batches =
        new Batches(table, rows(table), row -> row % every == 0, Durability.USE_DEFAULT);
    List<Put> sample = new ArrayList<>();
    List<Put> batch = batches.next();
    while (!batch.isEmpty()) {
      sample.addAll(batch);
      batch = batches.next();
    }
    return sample;
  }

  /** Writes all memstores into HFiles. */
  void flush() throws IOException {
    Tables.flush(connection, names());
  }

  private List<TableName> names() {
    return tables.stream().map(this::name).toList();
  }

  /** One HFile a region, nothing in memstores. */
  void compact() throws IOException {
    flush();
    for (TpcdsTable table : tables) {
      Compaction.runIfNeeded(connection, name(table));
    }
  }

  void drop() throws IOException {
    Tables.drop(connection, names());
  }

  /** Hands out chosen rows in the order in which they are generated. */
  private static final class Batches implements PutLoader.Source {
    private final TpcdsTable table;
    private final TpcdsRows rows;
    private final IntPredicate chosen;
    private final Durability durability;
    private int position;

    Batches(TpcdsTable table, TpcdsRows rows, IntPredicate chosen, Durability durability) {
      this.table = table;
      this.rows = rows;
      this.chosen = chosen;
      this.durability = durability;
    }

    @Override
    public List<Put> next() {
      List<Put> batch = new ArrayList<>(BATCH);
      for (List<String> row : chosenRows()) {
        batch.add(table.put(row).setDurability(durability));
      }
      return batch;
    }

    private synchronized List<List<String>> chosenRows() {
      List<List<String>> found = new ArrayList<>(BATCH);
      while (found.size() < BATCH && rows.hasNext()) {
        List<String> row = rows.next();
        if (chosen.test(position++)) {
          found.add(row);
        }
      }
      return found;
    }
  }
}
