package io.spyhop.server.cases;

import io.spyhop.client.AggregateResult;
import io.spyhop.client.Aggregation;
import io.spyhop.client.IndexedCell;
import io.spyhop.client.Order;
import io.spyhop.client.Paging;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RegionDecision;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The commands that read. A line that is refused prints what it is refused with.
 *
 * <pre>
 *   query [OPTION ...] [CONDITION]   prints rows; every way must give the plain scan's. Options:
 *                                    limit=N, from=ROW, to=ROW, select=COLUMN,..., order=COLUMN,
 *                                    desc=COLUMN
 *   aggregate [by=COLUMN,...] LIST [where CONDITION]
 *                                    prints a line for each group; every way must give the same
 *   plan [OPTION ...] CONDITION      prints how the planner would have it
 *   scan [OPTION ...]                prints a scan of the table; options: limit=N, from=ROW,
 *                                    to=ROW, versions=N, reversed
 *   get ROW                          prints the newest versions of a row
 *   as-of TIME M INDEX VALUE         prints what a deferred index says of a value: the rows that
 *                                    had it among their M newest versions
 * </pre>
 */
final class CaseReads {
  private static final int PAGE = 100;

  private final Spyhop spyhop;
  private final TableName name;

  CaseReads(Spyhop spyhop, TableName name) {
    this.spyhop = spyhop;
    this.name = name;
  }

  List<String> run(String command, String... words) throws IOException {
    try {
      return read(command, words);
    } catch (IllegalArgumentException e) {
      return List.of("refused: " + e.getMessage());
    }
  }

  private List<String> read(String command, String... words) throws IOException {
    return switch (command) {
      case "query" -> rows(query(words));
      case "aggregate" -> aggregate(words);
      case "plan" -> plan(query(words));
      case "scan" -> scan(words);
      case "get" -> get(words[0]);
      case "as-of" -> asOf(words);
      default -> throw new AssertionError("no command: " + command);
    };
  }

  private static Query query(String... words) {
    int condition = 0;
    while (condition < words.length
        && words[condition].matches("(limit|from|to|select|order|desc)=.*")) {
      condition++;
    }
    String text =
        String.join(" ", Arrays.asList(words).subList(condition, words.length))
            .replace("\\n", "\n");
    Query query = text.isEmpty() ? Query.all() : Query.where(text);
    String from = "";
    String to = "";
    for (String word : Arrays.asList(words).subList(0, condition)) {
      String value = word.substring(word.indexOf('=') + 1);
      switch (word.substring(0, word.indexOf('='))) {
        case "limit" -> query = query.limit(Integer.parseInt(value));
        case "from" -> from = value;
        case "to" -> to = value;
        case "select" -> query = query.select(value.split(","));
        case "order" -> query = query.orderBy(value);
        default -> query = query.orderBy(value, Order.DESC);
      }
    }
    return from.isEmpty() && to.isEmpty()
        ? query
        : query.range(Bytes.toBytes(from), Bytes.toBytes(to));
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
    return plain;
  }

  private List<String> aggregate(String... words) throws IOException {
    boolean grouped = words[0].startsWith("by=");
    String[] groupBy = grouped ? words[0].substring("by=".length()).split(",") : new String[0];
    String[] parts =
        String.join(" ", Arrays.asList(words).subList(grouped ? 1 : 0, words.length))
            .split(" where ");
    Query query = parts.length == 1 ? Query.all() : Query.where(parts[1]);
    Aggregation asked = Aggregation.parse(parts[0]).groupBy(groupBy);
    List<String> plain = groups(query.hint(Attributes.PATH_SCAN).pruning(false), asked);
    List<String> ways = new ArrayList<>(List.of(Attributes.PATH_AUTO, Attributes.PATH_INDEX));
    spyhop.admin().listIndexes(name).forEach(i -> ways.add(i.name()));
    for (String way : ways) {
      List<String> groups = groups(query.hint(way), asked);
      if (!groups.equals(plain)) {
        throw new AssertionError(query + " by " + way + ": " + groups + ", by a scan: " + plain);
      }
    }
    return plain;
  }

  private List<String> groups(Query query, Aggregation asked) throws IOException {
    List<String> lines = new ArrayList<>();
    for (AggregateResult.Group g : spyhop.table(name).aggregate(query, asked).groups()) {
      lines.add((g.key().isEmpty() ? "" : g.key() + " ") + g.values());
    }
    return lines.isEmpty() ? List.of("no groups") : lines;
  }

  private List<String> cells(Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(name).query(query)) {
      cursor.forEach(r -> rows.add(text(r)));
    }
    return orNone(rows);
  }

  private static List<String> orNone(List<String> rows) {
    return rows.isEmpty() ? List.of("no rows") : rows;
  }

  private static String text(Result r) {
    StringBuilder row = new StringBuilder(Bytes.toString(r.getRow()));
    for (Cell c : r.rawCells()) {
      row.append(' ')
          .append(Bytes.toString(CellUtil.cloneQualifier(c)))
          .append('=')
          .append(Bytes.toStringBinary(CellUtil.cloneValue(c)));
    }
    return row.toString();
  }

  private List<String> scan(String... words) throws IOException {
    Scan scan = new Scan();
    for (String word : words) {
      String value = word.substring(word.indexOf('=') + 1);
      switch (word.substring(0, word.length() - value.length())) {
        case "limit=" -> scan.setLimit(Integer.parseInt(value));
        case "from=" -> scan.withStartRow(Bytes.toBytes(value));
        case "to=" -> scan.withStopRow(Bytes.toBytes(value));
        case "versions=" -> scan.readVersions(Integer.parseInt(value));
        default -> scan.setReversed(true);
      }
    }
    List<String> rows = new ArrayList<>();
    try (Table table = spyhop.open(name);
        ResultScanner scanner = table.getScanner(scan)) {
      scanner.forEach(r -> rows.add(text(r)));
    }
    return orNone(rows);
  }

  private List<String> get(String row) throws IOException {
    try (Table table = spyhop.open(name)) {
      Result r = table.get(new Get(Bytes.toBytes(row)));
      return r.isEmpty() ? List.of("no rows") : List.of(text(r));
    }
  }

  private List<String> asOf(String... words) throws IOException {
    long time = words[0].equals("now") ? Long.MAX_VALUE : Long.parseLong(words[0]);
    List<String> cells = new ArrayList<>();
    for (IndexedCell c :
        spyhop
            .deferred(name, words[2])
            .readValue(words[3], time, Integer.parseInt(words[1]), Paging.first(PAGE))
            .cells()) {
      cells.add(Bytes.toString(c.row()) + "@" + c.timestamp() + " " + Bytes.toString(c.value()));
    }
    return orNone(cells);
  }

  private List<String> plan(Query query) throws IOException {
    QueryPlan plan = spyhop.table(name).explain(query);
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
}
