package io.spyhop.client.internal.query;

import io.spyhop.client.internal.bucket.UserRows;
import io.spyhop.client.internal.exec.FirstRowsStream;
import io.spyhop.client.internal.exec.MappedRows;
import io.spyhop.client.internal.exec.ReadDemand;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.global.Candidates;
import io.spyhop.client.internal.global.GlobalSearch;
import io.spyhop.client.internal.prune.Prunability;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.prune.ScanState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Scan;

/**
 * One query on one table, as its paths need it.
 *
 * @param id under which regions keep what they did for it, if they shall
 */
record QueryContext(TableContext table, BoundQuery query, Optional<byte[]> id) {
  /** The same run, which asks a changed query. */
  QueryContext with(BoundQuery changed) {
    return new QueryContext(table, changed, id);
  }

  /**
   * The scan of a part of the table.
   *
   * @param state what was decided of the part, or null
   */
  Scan scan(RowRange part, ScanState state) {
    return query.scan(part, state, id);
  }

  /** Opens that scan, in pages for which the client has room. */
  RowSource open(RowRange part, ScanState state) throws IOException {
    return table.open(table.paged(scan(part, state)), query.projection()::strip);
  }

  /** Scans of parts that nothing was decided of. */
  RowStream scans(List<RowRange> parts) throws IOException {
    return scans(parts, part -> null, demand(), false);
  }

  /**
   * The rows of parts; where few calls may have all, none is scanned before these are made.
   *
   * @param states what was decided of each, and of its parts
   * @param now whether scans begin before a row is asked for, if each part is scanned
   */
  RowStream scans(
      List<RowRange> parts, Function<RowRange, ScanState> states, ReadDemand demand, boolean now)
      throws IOException {
    RowSource.Opener opener = part -> open(part, states.apply(part));
    IoFunction<List<RowRange>, RowStream> scans =
        some -> RowStream.of(some, opener, table.pool(), demand, now);
    return id.isEmpty() && table.many().mayAnswer(query, parts, demand)
        ? new FirstRowsStream(
            parts, table.many().of(query, states), scans, table.pool().readAhead())
        : scans.apply(parts);
  }

  /** How many rows are wanted. */
  ReadDemand demand() {
    return new ReadDemand(query.limit(), query.settings().caching());
  }

  /** Whether statistics may leave out regions. */
  boolean canPrune() {
    return table.mayPrune()
        && query.settings().pruning()
        && Prunability.canPrune(query.predicate(), query.indexes());
  }

  /** The rows behind entries of a global index, as far as they match. */
  Candidates candidates(GlobalSearch.Found found) throws IOException {
    boolean indexAlone = query.predicate().columns().size() == 1;
    Candidates.How how =
        new Candidates.How(
            query::get, query.projection()::strip, indexAlone, query.limit(), table.repairs());
    return new Candidates(table.connection(), table.name(), found, how);
  }

  /** Rows with the keys that users know. */
  RowStream inUsersKeys(RowStream stored) {
    return query.keys().isPresent() ? new MappedRows(stored, UserRows::of) : stored;
  }
}
