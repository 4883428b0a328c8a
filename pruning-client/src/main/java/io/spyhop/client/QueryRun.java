package io.spyhop.client;

import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.global.GlobalRows;
import io.spyhop.client.internal.global.OrderedSearch;
import io.spyhop.client.internal.prune.Part;
import io.spyhop.client.internal.prune.PrunedRows;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** One query that runs: its rows, and what was done for them. Not thread-safe. */
final class QueryRun {
  private RowStream rows = RowStream.empty();
  private Optional<GlobalRows> global = Optional.empty();
  private Optional<PrunedRows> pruned = Optional.empty();
  private Optional<OrderedSearch.Answer> ordered = Optional.empty();

  /** Remembers rows whose index tells what it did. */
  void through(GlobalRows index) {
    global = Optional.of(index);
    rows = index;
  }

  /** Remembers what a global index said when it was asked for the first rows of its order. */
  void ordered(OrderedSearch.Answer answer) {
    ordered = Optional.of(answer);
  }

  /** What a global index said when it was asked for the first rows of its order, if one was. */
  Optional<OrderedSearch.Answer> ordered() {
    return ordered;
  }

  /** Remembers rows of scans. */
  void through(RowStream scans) {
    rows = scans;
  }

  /** Hands out other rows, made of those that there are. */
  void change(UnaryOperator<RowStream> change) {
    rows = change.apply(rows);
  }

  /** Remembers the scans that leave out regions, be they all or what an index falls back to. */
  PrunedRows pruned(PrunedRows scans) {
    pruned = Optional.of(scans);
    return scans;
  }

  /** The rows. */
  RowStream rows() {
    return rows;
  }

  /** What a global index does for it, if one can drive it. */
  Optional<GlobalRows> global() {
    return global;
  }

  /** What was decided of each part of the table; empty where nothing could be left out. */
  List<Part> parts() {
    return pruned.map(PrunedRows::parts).orElse(List.of());
  }
}
