package io.spyhop.server.model;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.testing.Regions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks the same in several ways and compares cell by cell: the scan without any filter judged by
 * the {@link Oracle}, the plain filtered scan, and the scan through each index and through whatever
 * the planner chooses.
 */
final class Checker {
  private static final List<IndexDefinition> ALL_COLUMNS =
      Arrays.stream(Column.values())
          .map(
              c ->
                  IndexDefinition.builder("t_" + c)
                      .column(ColumnName.parse(c.text()))
                      .type(c.type())
                      .build())
          .toList();

  /** How many bytes of a value are shown. */
  private static final int SHOWN = 80;

  private static final int MOST_ASKED = 8;

  private static final AtomicLong QUERIES = new AtomicLong();

  private final ModelTable model;
  private final SchemaResolver resolver;
  private final List<Predicate> asked = new ArrayList<>();
  private long checked;
  private long rows;

  Checker(ModelTable model) {
    this.model = model;
    this.resolver = resolver();
  }

  /** Types of all columns, declared or not. */
  static SchemaResolver resolver() {
    return new SchemaResolver("model", IndexSchema.of(ALL_COLUMNS), List.of("f", "g"));
  }

  /** Rows seen in all answers, so that a check of nothing is noticed. */
  long rows() {
    return rows;
  }

  long checked() {
    return checked;
  }

  void check(Random r) throws IOException {
    Predicate predicate = predicate(r);
    BoundPredicate bound = Binder.bind(predicate, resolver);
    againstOracle(predicate, bound);
    everyPath(r, RandomScans.draw(r, bound, model.maySelectColumns()), bound);
    if (r.nextBoolean()) {
      return;
    }
    RandomValueFilters filters = RandomValueFilters.draw(r);
    Scan existing = RandomScans.draw(r, filters.columns(), model.maySelectColumns());
    everyPath(r, existing.setFilter(filters.filter()), filters.filter());
  }

  /** One that was asked before, as servers keep what they found, or another. */
  private Predicate predicate(Random r) {
    if (!asked.isEmpty() && r.nextBoolean()) {
      return asked.get(r.nextInt(asked.size()));
    }
    Predicate predicate = r.nextInt(3) == 0 ? RandomPredicates.ranges(r) : RandomPredicates.draw(r);
    if (asked.size() < MOST_ASKED) {
      asked.add(predicate);
    } else {
      asked.set(r.nextInt(MOST_ASKED), predicate);
    }
    return predicate;
  }

  /** Asks once more, through indexes that may just go or come. */
  void throughIndex(Random r, List<IndexDefinition> indexes) throws IOException {
    BoundPredicate bound = Binder.bind(predicate(r), resolver);
    Scan scan = RandomScans.draw(r, bound, model.maySelectColumns());
    List<String> plain = run(table(), hinted(scan, Attributes.PATH_SCAN));
    String named = indexes.get(r.nextInt(indexes.size())).name();
    for (String hint : List.of(Attributes.PATH_AUTO, Attributes.PATH_INDEX, named)) {
      plain = compare(table(), "", scan, bound, hint, plain);
    }
  }

  private void everyPath(Random r, Scan scan, Object asked) throws IOException {
    everyPath(r, table(), "", scan, asked);
    if (model.security().isPresent()) {
      ModelSecurity security = model.security().get();
      everyPath(r, security.usersTable(), "as a user ", security.draw(r, scan), asked);
    }
  }

  private void everyPath(Random r, Table table, String who, Scan scan, Object asked)
      throws IOException {
    List<String> plain = run(table, hinted(scan, Attributes.PATH_SCAN));
    List<String> hints = new ArrayList<>(List.of(Attributes.PATH_AUTO, Attributes.PATH_INDEX));
    List<IndexDefinition> indexes = model.indexes();
    if (!indexes.isEmpty()) {
      hints.add(indexes.get(r.nextInt(indexes.size())).name());
    }
    for (String hint : hints) {
      plain = compare(table, who, scan, asked, hint, plain);
    }
    rows += plain.size();
  }

  /** What the plain scan says now. */
  private List<String> compare(
      Table table, String who, Scan scan, Object asked, String hint, List<String> before)
      throws IOException {
    byte[] id = Bytes.toBytes(QUERIES.incrementAndGet());
    Answers answers =
        Answers.of(
            model.isRestless(),
            before,
            () -> run(table, hinted(scan, Attributes.PATH_SCAN)),
            () -> run(table, hinted(scan, hint).setAttribute(Attributes.QUERY_ID, id)));
    List<String> plain = answers.plain();
    if (!answers.agree()) {
      throw new AssertionError(
          who
              + "asked "
              + asked
              + "\nscan "
              + scan
              + "\nhint "
              + hint
              + "\nplain scan:\n  "
              + String.join("\n  ", plain)
              + "\nthrough the index:\n  "
              + String.join("\n  ", answers.other())
              + "\nwhat regions did:\n  "
              + String.join("\n  ", Regions.reports(model.cluster(), model.name(), id))
              + "\nasked once more it is "
              + (run(table, hinted(scan, hint)).equals(plain) ? "equal" : "different")
              + ", the plain scan is now "
              + (run(table, hinted(scan, Attributes.PATH_SCAN)).equals(plain)
                  ? "as it was"
                  : "another: the table has changed"));
    }
    checked++;
    return plain;
  }

  private void againstOracle(Predicate predicate, BoundPredicate bound) throws IOException {
    Scan filtered = new Scan().setFilter(new PredicateFilter(bound));
    Answers answers =
        Answers.of(
            model.isRestless(),
            byOracle(predicate),
            () -> byOracle(predicate),
            () -> run(table(), throughViews(hinted(filtered, Attributes.PATH_SCAN))));
    if (!answers.agree()) {
      throw new AssertionError(
          "predicate "
              + predicate
              + "\nbound "
              + bound
              + "\noracle:\n  "
              + String.join("\n  ", answers.plain())
              + "\nPredicateFilter:\n  "
              + String.join("\n  ", answers.other()));
    }
  }

  private static Scan throughViews(Scan scan) {
    return scan.setReadType(Scan.ReadType.PREAD);
  }

  private List<String> byOracle(Predicate predicate) throws IOException {
    List<String> expected = new ArrayList<>();
    try (ResultScanner scanner = table().getScanner(byFiles(new Scan()))) {
      for (Result row : scanner) {
        if (Oracle.matches(predicate, row)) {
          show(row, expected);
        }
      }
    }
    return expected;
  }

  private Table table() {
    return model.table();
  }

  private static Scan hinted(Scan scan, String hint) throws IOException {
    Scan hinted = new Scan(scan).setAttribute(Attributes.PATH_HINT, Bytes.toBytes(hint));
    return hint.equals(Attributes.PATH_SCAN) ? byFiles(hinted) : hinted;
  }

  /** Scans that ask for streams read HFiles one by one, and no sorted view. */
  static Scan byFiles(Scan scan) {
    return scan.setReadType(Scan.ReadType.STREAM);
  }

  /** The cells of the answer; a refusal is an answer, too. */
  private static List<String> run(Table table, Scan scan) throws IOException {
    List<String> lines = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        show(row, lines);
      }
    } catch (AccessDeniedException e) {
      lines.add(e.getClass().getName());
    }
    return lines;
  }

  static void show(Result row, List<String> lines) {
    for (Cell c : row.rawCells()) {
      lines.add(c + " = " + value(c));
    }
  }

  /** A cell's value; a long one by its first bytes and a hash of all. */
  static String value(Cell c) {
    byte[] value = CellUtil.cloneValue(c);
    return value.length <= SHOWN
        ? Bytes.toStringBinary(value)
        : Bytes.toStringBinary(value, 0, SHOWN) + "... " + Arrays.hashCode(value);
  }
}
