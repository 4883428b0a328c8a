package io.spyhop.cli.output;

import io.spyhop.bench.Row;
import java.util.List;

/** Shows the figures of {@code spyhop bench scale}. Stateless. */
public final class ScaleLayout extends Layout {
  /** Creates it. */
  public ScaleLayout() {
    super("bench scale", "Many regions", "idle", "restart", "point_query", "motion");
  }

  @Override
  List<Plot> plots(Row report) {
    return List.of();
  }

  @Override
  Object settings(Row report) {
    return Row.of("tables", report.at("tables"));
  }

  @Override
  List<TitledTable> tables(Row report) {
    return List.of(
        TitledTable.of(
            "An idle region server",
            report.rows("idle"),
            Column.right("regions", "regions"),
            Column.right("indexes", "indexes"),
            Column.right("plain tables", "plain_tables"),
            Column.of("CPU, % of a core", "cpu_percent", Texts::ratio),
            Column.of("heap, MB", "heap_mb", Texts::ratio),
            Column.right("threads", "threads"),
            Column.right("files", "fds"),
            Column.of("NameNode, a second", "namenode_ops_s", Texts::ratio),
            Column.of("meta, a second", "meta_ops_s", Texts::ratio),
            Column.of("log lines a minute", "log_lines_min", Texts::ratio)),
        TitledTable.of(
            "It is stopped and starts again",
            report.rows("restart"),
            Column.right("regions", "regions"),
            Column.right("indexes", "indexes"),
            Column.right("plain tables", "plain_tables"),
            Column.of("open after s", "online_s", Texts::ratio),
            Column.of("active after s", "active_s", Texts::ratio),
            Column.right("log lines", "log_lines")),
        TitledTable.of(
            "Queries for one value, by a global index",
            report.rows("point_query"),
            Column.right("regions", "regions"),
            Column.right("queries", "queries"),
            Column.of("CPU of the server, ms", "server_cpu_ms", Texts::ratio),
            Column.of("bytes sent", "bytes", Texts::ratio),
            Column.of("CPU of a get, ms", "get_cpu_ms", Texts::ratio),
            Column.of("bytes of a get", "get_bytes", Texts::ratio)),
        TitledTable.of(
            "The same while a region moves or splits every 3 s",
            report.rows("motion"),
            Column.right("regions", "regions"),
            Column.right("event", "event"),
            Column.of("p50, ms", "p50_ms", Texts::ratio),
            Column.of("p99, ms", "p99_ms", Texts::ratio),
            Column.of("max, ms", "max_ms", Texts::ratio),
            Column.right("regions scanned", "regions_scanned")));
  }
}
