package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.global.Bounded;
import io.spyhop.client.internal.global.Candidates;
import io.spyhop.client.internal.global.GlobalSearch.Outcome;
import io.spyhop.client.internal.global.Refusals;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows by key, where a global index knows few that may match. A scan can take over behind any row.
 * Not thread-safe.
 */
public final class GlobalIndexPath implements QueryPath {
  private static final Logger LOG = LoggerFactory.getLogger(GlobalIndexPath.class);

  private final QueryContext context;
  private Outcome outcome;
  private Candidates candidates;
  private String failure = "";

  GlobalIndexPath(QueryContext context) {
    this.context = context;
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
    if (search().found().isEmpty()) {
      return Optional.empty();
    }
    try {
      candidates = context.candidates(outcome.found().get());
      return Optional.of(candidates);
    } catch (IOException | RuntimeException e) {
      givesWay(e);
      return Optional.empty();
    }
  }

  @Override
  public boolean givesWay(Exception e) throws IOException {
    Bounded.requireNotInterrupted(e);
    LOG.info("Reading the rows of a global index failed: the rest comes from a scan", e);
    failure = Refusals.text(e);
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
