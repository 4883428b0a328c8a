package io.spyhop.server.cases;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RegionDecision;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table with family {@code d}, and the commands on it:
 *
 * <pre>
 *   table [SPLIT ...]                makes it, split at these rows
 *   index NAME KIND QUALIFIER TYPE   adds an index and waits for it
 *   put ROW QUALIFIER=TEXT ...       texts without spaces, or in quotes
 *   delete ROW [QUALIFIER]           a row, or a column with all its versions
 *   flush                            and wait for the index files
 *   compact                          all of the table's files, and wait for the index files
 *   query [LIMIT] CONDITION          prints rows; every way must give the plain scan's
 *   plan [LIMIT] CONDITION           prints how the planner would have it
 * </pre>
 *
 * Not thread-safe.
 */
final class CaseTable implements AutoCloseable {
  private static final byte[] D = Bytes.toBytes("d");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final TestCluster cluster = TestCluster.get();
  private final TableName name;
  private Spyhop spyhop;

  CaseTable(String name) throws IOException {
    this.name = TableName.valueOf("case-" + name);
    this.spyhop = Spyhop.connect(cluster.connection());
  }

  List<String> run(String line) throws Exception {
    String[] words = line.split(" +");
    String[] rest = Arrays.copyOfRange(words, 1, words.length);
    switch (words[0]) {
      case "table" -> create(rest);
      case "index" -> index(rest);
      case "put" -> put(rest);
      case "delete" -> delete(rest);
      case "flush" -> flush();
      case "compact" -> compact();
      case "query" -> {
        return rows(query(rest));
      }
      case "plan" -> {
        return plan(query(rest));
      }
      default -> throw new AssertionError("no command: " + line);
    }
    return List.of();
  }

  private void create(String... splits) throws IOException {
    cluster
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
                .build(),
            Arrays.stream(splits).map(Bytes::toBytes).toArray(byte[][]::new));
  }

  private void index(String... words) throws Exception {
    spyhop
        .admin()
        .createIndex(
            name,
            IndexDefinition.builder(words[0])
                .kind(IndexKind.valueOf(words[1]))
                .column("d:" + words[2])
                .type(ValueType.parse(words[3]))
                .build());
    spyhop.admin().waitUntilActive(name, words[0], PATIENCE);
  }

  private void put(String... words) throws IOException {
    Put put = new Put(Bytes.toBytes(words[0]));
    for (String cell : Arrays.asList(words).subList(1, words.length)) {
      int equals = cell.indexOf('=');
      String text = cell.substring(equals + 1);
      put.addColumn(D, Bytes.toBytes(cell.substring(0, equals)), Bytes.toBytes(text));
    }
    try (Table table = cluster.connection().getTable(name)) {
      table.put(put);
    }
  }

  private void delete(String... words) throws IOException {
    Delete delete = new Delete(Bytes.toBytes(words[0]));
    if (words.length > 1) {
      delete.addColumns(D, Bytes.toBytes(words[1]));
    }
    try (Table table = cluster.connection().getTable(name)) {
      table.delete(delete);
    }
  }

  private void flush() throws IOException {
    Regions.flush(cluster, name);
    settle();
  }

  private void compact() throws IOException {
    Regions.compact(cluster, name, true);
    settle();
  }

  /** A client does not wait for statistics that leave nothing out: a new one has no old ones. */
  private void settle() throws IOException {
    Regions.awaitCovered(cluster, name);
    spyhop.close();
    spyhop = Spyhop.connect(cluster.connection());
  }

  private static Query query(String... words) {
    boolean limited = words[0].matches("[0-9]+");
    String condition =
        String.join(" ", Arrays.asList(words).subList(limited ? 1 : 0, words.length));
    Query query = Query.where(condition);
    return limited ? query.limit(Integer.parseInt(words[0])) : query;
  }

  private List<String> rows(Query query) throws IOException {
    List<String> plain = cells(query.hint(Attributes.PATH_SCAN).pruning(false));
    List<String> ways = new ArrayList<>(List.of(Attributes.PATH_AUTO, Attributes.PATH_INDEX));
    spyhop.admin().listIndexes(name).forEach(i -> ways.add(i.name()));
    for (String way : ways) {
      List<String> cells = cells(query.hint(way));
      if (!cells.equals(plain)) {
        throw new AssertionError(query + " by " + way + ": " + cells + ", by a scan: " + plain);
      }
    }
    return plain.isEmpty() ? List.of("no rows") : plain;
  }

  private List<String> cells(Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(name).query(query)) {
      for (Result r : cursor) {
        StringBuilder row = new StringBuilder(Bytes.toString(r.getRow()));
        for (Cell c : r.rawCells()) {
          row.append(' ')
              .append(Bytes.toString(CellUtil.cloneQualifier(c)))
              .append('=')
              .append(Bytes.toString(CellUtil.cloneValue(c)));
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }

  private List<String> plan(Query query) throws IOException {
    IndexedTable table = spyhop.table(name);
    QueryPlan plan = table.explain(query);
    List<String> lines = new ArrayList<>(List.of("where " + plan.predicate()));
    plan.global().ifPresent(g -> lines.add("global " + g));
    plan.regions().forEach(r -> lines.add(region(r)));
    plan.decisions().forEach(d -> lines.add(decision(d)));
    return lines;
  }

  private static String region(RegionPlan r) {
    return switch (r.path()) {
      case SCAN -> "scan: " + r.reason();
      case LOCAL_INDEX -> "index " + r.driving() + ", records " + records(r) + ": " + r.reason();
    };
  }

  private static String records(RegionPlan r) {
    return r.estimates().stream()
        .filter(e -> e.index().equals(r.driving()))
        .map(e -> Long.toString(e.records()))
        .findFirst()
        .orElseThrow();
  }

  private static String decision(RegionDecision d) {
    return "rows ["
        + Bytes.toString(d.startKey())
        + ", "
        + Bytes.toString(d.endKey())
        + ") "
        + d.state()
        + ": "
        + d.reason();
  }

  @Override
  public void close() throws IOException {
    for (IndexDefinition i : spyhop.admin().listIndexes(name)) {
      spyhop.admin().dropIndex(name, i.name());
    }
    cluster.admin().disableTable(name);
    cluster.admin().deleteTable(name);
    spyhop.close();
  }
}
