package io.spyhop.client.internal.query;

import io.spyhop.client.IndexUnavailableException;
import io.spyhop.client.OnUnavailable;
import io.spyhop.client.internal.admin.TableInfo;
import io.spyhop.client.internal.exec.MergedRows;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.global.Bounded;
import io.spyhop.client.internal.global.Candidates;
import io.spyhop.client.internal.global.DearerException;
import io.spyhop.client.internal.global.GlobalSearch.Outcome;
import io.spyhop.client.internal.global.Refusals;
import io.spyhop.core.conf.CheckedSettings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows by key, where a global index knows few that may match; rows that the index may lack come by
 * another path. A scan can take over behind any row. Not thread-safe.
 */
public final class GlobalIndexPath implements QueryPath {
  private static final Logger LOG = LoggerFactory.getLogger(GlobalIndexPath.class);

  /** In how many regions a query scans at most what a global index does not know. */
  private static final String MOST_REGIONS = "spyhop.client.unavailable.regions";

  private final QueryContext context;
  private final QueryPath other;
  private Outcome outcome;
  private Candidates candidates;
  private String failure = "";

  /**
   * @param other serves any rows
   */
  GlobalIndexPath(QueryContext context, QueryPath other) {
    this.context = context;
    this.other = other;
  }

  /** Asks the indexes which rows may match. */
  public Outcome search() throws IOException {
    BoundQuery query = context.query();
    outcome =
        context.table().globals().search(query.entryQuery(), context.table().costs().of(query));
    return outcome;
  }

  @Override
  public Optional<RowStream> open(RowRanges rows) throws IOException {
    Outcome found = search();
    if (found.found().isEmpty()) {
      if (!found.lasts()) {
        requireScan(rows, found.reason());
      }
      return Optional.empty();
    }
    RowRanges rest = found.found().get().rest();
    if (!rest.isEmpty()) {
      requireScan(rest, "global index '" + found.found().get().index().name() + "' is BUILDING");
    }
    try {
      candidates = context.candidates(found.found().get());
      return Optional.of(withRest(rest));
    } catch (IOException | RuntimeException e) {
      givesWay(e);
      return Optional.empty();
    }
  }

  /** Checks that rows may be scanned in place of the index. */
  private void requireScan(RowRanges rows, String why) throws IOException {
    boolean fails = context.query().settings().onUnavailable() == OnUnavailable.FAIL;
    CheckedSettings settings = new CheckedSettings(context.table().conf());
    int most = fails ? 0 : settings.integer(MOST_REGIONS, Integer.MAX_VALUE, 0, Integer.MAX_VALUE);
    if (most < Integer.MAX_VALUE && context.table().keys().cut(rows).size() > most) {
      TableInfo.requireEnabled(context.table().connection(), context.table().name());
      throw new IndexUnavailableException(
          "table '"
              + context.table().name()
              + "': "
              + why
              + "; wait until `spyhop index status` shows it as ACTIVE, or let the query scan "
              + (fails
                  ? "(onUnavailable)"
                  : "more than " + most + " regions (" + MOST_REGIONS + ")"));
    }
  }

  private RowStream withRest(RowRanges rest) throws IOException {
    if (rest.isEmpty()) {
      return candidates;
    }
    RowStream scans = other.open(rest).orElseThrow();
    return MergedRows.of(List.of(candidates, scans), false);
  }

  @Override
  public boolean givesWay(Exception e) throws IOException {
    Bounded.requireNotInterrupted(e);
    failure = Refusals.text(e);
    if (e instanceof DearerException) {
      return true;
    }
    requireScan(context.query().rows(), "its rows cannot be read: " + failure);
    LOG.info("Reading the rows of a global index failed: the rest comes from a scan", e);
    return true;
  }

  /** What the search found; empty before the indexes were asked. */
  public Optional<Outcome> outcome() {
    return Optional.ofNullable(outcome);
  }

  /** Why a scan took over from the index, or empty. */
  public String failure() {
    return failure;
  }

  /** How many rows were read by key. */
  public long rowsRead() {
    return candidates == null ? 0 : candidates.rowsRead();
  }
}
