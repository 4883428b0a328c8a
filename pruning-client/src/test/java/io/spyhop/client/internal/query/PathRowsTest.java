package io.spyhop.client.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.global.Bounded;
import io.spyhop.client.internal.global.Candidates;
import io.spyhop.client.internal.global.GlobalSearch.Found;
import io.spyhop.client.internal.global.IndexCalls;
import io.spyhop.client.internal.global.Refusals;
import io.spyhop.client.internal.global.Repairs;
import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PathRowsTest {
  private static final TableName TABLE = TableName.valueOf("orders");
  private static final IndexDefinition INDEX =
      IndexDefinition.builder("v")
          .kind(IndexKind.GLOBAL)
          .column("f:v")
          .type(ValueType.LONG)
          .build();

  private final ScanPool pool = new ScanPool(2, 10);
  private final List<RowRange> scanned = new ArrayList<>();

  private String failure = "";

  /** From which row on reading rows by key fails; null if it does not. */
  private String broken;

  private Optional<Found> known = found("a", "c", "e");
  private Candidates candidates;

  @AfterEach
  void close() {
    Thread.interrupted();
    pool.close();
  }

  private static Optional<Found> found(String... rows) {
    NavigableMap<byte[], List<Entry>> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (String row : rows) {
      found.put(Bytes.toBytes(row), List.of());
    }
    return Optional.of(Found.of(INDEX, rows.length, found));
  }

  private static Result result(String row) {
    return Result.create(
        List.of(new KeyValue(Bytes.toBytes(row), INDEX.column().family(), new byte[0])));
  }

  private <T> T fake(Class<T> type, InvocationHandler calls) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
  }

  /** A table that has all rows that are asked for, but "c". */
  private Object table(List<Get> gets) throws IOException {
    List<Result> results = new ArrayList<>();
    for (Get get : gets) {
      String row = Bytes.toString(get.getRow());
      if (broken != null && row.compareTo(broken) >= 0) {
        throw new IOException("no such region");
      }
      results.add(row.equals("c") ? Result.EMPTY_RESULT : result(row));
    }
    return results.toArray(new Result[0]);
  }

  @SuppressWarnings("unchecked")
  private Connection connection() {
    Table table =
        fake(Table.class, (p, m, a) -> m.getName().equals("get") ? table((List<Get>) a[0]) : null);
    return fake(Connection.class, (p, m, a) -> table);
  }

  private PathRows rows() {
    RowRange range = new RowRange(new byte[0], Bytes.toBytes("x"));
    return new PathRows(List.of(new IndexPath(), new ScanPath()), RowRanges.of(range));
  }

  private final class IndexPath implements QueryPath {
    @Override
    public Optional<RowStream> open(RowRanges rows) throws IOException {
      if (known.isEmpty()) {
        return Optional.empty();
      }
      IndexCalls calls = new IndexCalls(connection(), TABLE);
      Candidates.How how =
          new Candidates.How(Get::new, r -> r, false, 32, new Repairs(calls, pool));
      candidates = new Candidates(connection(), TABLE, known.get(), how);
      return Optional.of(candidates);
    }

    @Override
    public boolean givesWay(Exception e) throws IOException {
      Bounded.requireNotInterrupted(e);
      failure = Refusals.text(e);
      return true;
    }
  }

  private final class ScanPath implements QueryPath {
    @Override
    public Optional<RowStream> open(RowRanges rest) {
      scanned.add(rest.hull());
      return Optional.of(stream(List.of(result("s"), result("t")).iterator()));
    }
  }

  private static RowStream stream(Iterator<Result> rows) {
    return new RowStream() {
      @Override
      public Result next() {
        return rows.hasNext() ? rows.next() : null;
      }

      @Override
      public void close() {
        rows.forEachRemaining(r -> {});
      }
    };
  }

  private static List<String> read(PathRows rows) throws IOException {
    List<String> all = new ArrayList<>();
    for (Result r = rows.next(); r != null; r = rows.next()) {
      all.add(Bytes.toString(r.getRow()));
    }
    rows.close();
    return all;
  }

  @Test
  void readsWhatWasFoundAndMatches() throws IOException {
    assertThat(read(rows())).containsExactly("a", "e");
    assertThat(candidates.rowsRead()).isEqualTo(3);
    assertThat(failure).isEmpty();
    assertThat(scanned).isEmpty();
  }

  @Test
  void scansIfNothingCanBeAsked() throws IOException {
    known = Optional.empty();
    assertThat(read(rows())).containsExactly("s", "t");
    assertThat(scanned).containsExactly(new RowRange(new byte[0], Bytes.toBytes("x")));
  }

  @Test
  void scansIfTheFirstRowsCannotBeRead() throws IOException {
    broken = "a";
    assertThat(read(rows())).containsExactly("s", "t");
    assertThat(failure).isEqualTo("no such region");
    assertThat(scanned).containsExactly(new RowRange(new byte[0], Bytes.toBytes("x")));
  }

  @Test
  void scanTakesOverBehindTheLastRow() throws IOException {
    String[] many = new String[40];
    for (int i = 0; i < many.length; i++) {
      many[i] = String.format("r%02d", i);
    }
    known = found(many);
    broken = "r32"; // the first row of the second list of Gets
    assertThat(read(rows())).hasSize(34).endsWith("r30", "r31", "s", "t");
    assertThat(scanned).containsExactly(new RowRange(Bytes.toBytes("r31\0"), Bytes.toBytes("x")));
  }

  @Test
  void interruptedReadersDoNotScan() {
    broken = "a";
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> rows().next()).isInstanceOf(InterruptedIOException.class);
    assertThat(scanned).isEmpty();
  }

  @Test
  void failuresOfScansAreTheCallers() throws IOException {
    QueryPath broken =
        rows -> {
          throw new IOException("no such table");
        };
    PathRows rows = new PathRows(List.of(broken, new ScanPath()), RowRanges.of(RowRange.ALL));
    assertThatThrownBy(rows::next).hasMessage("no such table");
    assertThat(scanned).isEmpty();
  }
}
