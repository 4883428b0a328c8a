package io.spyhop.cli.output;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;

/** The ways to print rows. */
public enum RowFormat {
  /** A line a row: its key, then {@code column=value}. */
  TEXT {
    @Override
    void print(Result row, CellText cells, PrintWriter out) {
      out.println(
          Arrays.stream(row.rawCells())
              .map(c -> CellText.column(c) + "=" + CellText.onOneLine(cells.value(c)))
              .collect(Collectors.joining(" ", CellText.key(row.getRow()) + "  ", "")));
    }
  },

  /** A JSON object a row, each on a line of its own. */
  JSON {
    @Override
    void print(Result row, CellText cells, PrintWriter out) {
      Map<String, Object> columns = new LinkedHashMap<>();
      for (Cell cell : row.rawCells()) {
        columns.putIfAbsent(CellText.column(cell), cells.value(cell));
      }
      out.println(Json.line(new JsonRow(CellText.key(row.getRow()), columns)));
    }
  },

  /** A line a cell: row, column, timestamp, value; RFC 4180. */
  CSV {
    @Override
    List<String> header() {
      return List.of("row,column,timestamp,value");
    }

    @Override
    void print(Result row, CellText cells, PrintWriter out) {
      for (Cell cell : row.rawCells()) {
        out.println(
            quoted(CellText.key(row.getRow()))
                + ","
                + quoted(CellText.column(cell))
                + ","
                + cell.getTimestamp()
                + ","
                + quoted(cells.value(cell).toString()));
      }
    }
  };

  private record JsonRow(String row, Map<String, Object> columns) {}

  /** What comes before the first row. */
  List<String> header() {
    return List.of();
  }

  abstract void print(Result row, CellText cells, PrintWriter out);

  /**
   * Prints rows until there are no more, or nobody reads them.
   *
   * @return how many
   */
  public long printAll(Iterable<Result> rows, CellText cells, PrintWriter out) {
    header().forEach(out::println);
    long count = 0;
    for (Result row : rows) {
      print(row, cells, out);
      count++;
      if (out.checkError()) {
        break;
      }
    }
    return count;
  }

  static String quoted(String field) {
    boolean plain = field.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
    return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }
}
