package io.spyhop.server.cases;

import io.spyhop.client.Spyhop;
import io.spyhop.server.testing.BulkFile;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The commands that write. A row may have a timestamp: {@code cod@7}.
 *
 * <pre>
 *   put ROW QUALIFIER=TEXT ...          texts without spaces
 *   delete ROW [QUALIFIER]              a row, or a column with all its versions up to the timestamp
 *   delete-version ROW QUALIFIER        the version of the timestamp
 *   increment ROW QUALIFIER N           a LONG of eight bytes
 *   append ROW QUALIFIER=TEXT
 *   replace ROW QUALIFIER=TEXT ...      deletes the row's columns and puts others, in one mutation
 *   check ROW QUALIFIER=OLD NEW         puts NEW where the column has OLD; prints whether it had
 *   many N                              puts rows row0000 to N: weight=I%10, name=cat and I%10
 *   load ROW QUALIFIER=TEXT ...         the cells as an HFile that is loaded as a whole
 * </pre>
 */
final class CaseWrites {
  static final Set<String> COMMANDS =
      Set.of(
          "put",
          "delete",
          "delete-version",
          "increment",
          "append",
          "replace",
          "check",
          "many",
          "load");

  private static final int KINDS = 10;

  private final TestCluster cluster;
  private final Spyhop spyhop;
  private final TableName name;

  CaseWrites(TestCluster cluster, Spyhop spyhop, TableName name) {
    this.cluster = cluster;
    this.spyhop = spyhop;
    this.name = name;
  }

  /** A text such as {@code weight=7}. */
  private record Pair(byte[] qualifier, byte[] value) {
    static Pair of(String text) {
      int equals = text.indexOf('=');
      return new Pair(
          Bytes.toBytes(text.substring(0, equals)), Bytes.toBytes(text.substring(equals + 1)));
    }
  }

  List<String> run(String command, String... words) throws IOException {
    int at = words[0].indexOf('@');
    byte[] row = Bytes.toBytes(at < 0 ? words[0] : words[0].substring(0, at));
    long time = at < 0 ? HConstants.LATEST_TIMESTAMP : Long.parseLong(words[0].substring(at + 1));
    List<String> rest = Arrays.asList(words).subList(1, words.length);
    try (Table table = spyhop.open(name)) {
      switch (command) {
        case "put" -> table.put(put(row, time, rest));
        case "delete" -> table.delete(delete(row, time, rest));
        case "delete-version" ->
            table.delete(new Delete(row).addColumn(CaseTable.D, Bytes.toBytes(rest.get(0)), time));
        case "increment" ->
            table.increment(
                new Increment(row)
                    .addColumn(
                        CaseTable.D, Bytes.toBytes(rest.get(0)), Long.parseLong(rest.get(1))));
        case "append" -> {
          Pair p = Pair.of(rest.get(0));
          table.append(new Append(row).addColumn(CaseTable.D, p.qualifier, p.value));
        }
        case "replace" -> table.mutateRow(replacement(row, rest));
        case "check" -> {
          return List.of(check(table, row, Pair.of(rest.get(0)), rest.get(1)) ? "done" : "not so");
        }
        case "many" -> table.put(many(Integer.parseInt(words[0])));
        case "load" -> load(row, time, rest);
        default -> throw new AssertionError("no command: " + command);
      }
    }
    return List.of();
  }

  private static Put put(byte[] row, long time, List<String> cells) {
    Put put = new Put(row);
    for (String cell : cells) {
      Pair p = Pair.of(cell);
      put.addColumn(CaseTable.D, p.qualifier, time, p.value);
    }
    return put;
  }

  /** The delete is older than the put: of one time, it would hide it. */
  private static RowMutations replacement(byte[] row, List<String> cells) throws IOException {
    long now = System.currentTimeMillis();
    Delete old = new Delete(row).addFamily(CaseTable.D, now);
    return RowMutations.of(List.of(old, put(row, now + 1, cells)));
  }

  private static List<Put> many(int rows) {
    return IntStream.range(0, rows)
        .mapToObj(
            i ->
                put(
                    Bytes.toBytes(String.format("row%04d", i)),
                    HConstants.LATEST_TIMESTAMP,
                    List.of("weight=" + i % KINDS, "name=cat" + i % KINDS)))
        .toList();
  }

  private static Delete delete(byte[] row, long time, List<String> qualifiers) {
    Delete delete = new Delete(row, time);
    qualifiers.forEach(q -> delete.addColumns(CaseTable.D, Bytes.toBytes(q), time));
    return delete;
  }

  private static boolean check(Table table, byte[] row, Pair old, String to) throws IOException {
    Put put = new Put(row).addColumn(CaseTable.D, old.qualifier, Bytes.toBytes(to));
    return table
        .checkAndMutate(
            CheckAndMutate.newBuilder(row)
                .ifEquals(CaseTable.D, old.qualifier, old.value)
                .build(put))
        .isSuccess();
  }

  private void load(byte[] row, long time, List<String> cells) throws IOException {
    List<KeyValue> loaded = new ArrayList<>();
    for (String cell : cells) {
      Pair p = Pair.of(cell);
      loaded.add(new KeyValue(row, CaseTable.D, p.qualifier, time, p.value));
    }
    BulkFile.load(cluster, name, BloomType.ROW, loaded);
  }
}
