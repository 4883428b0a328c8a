package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.global.GlobalSearch.Found;
import io.spyhop.client.internal.global.GlobalSearch.Outcome;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of a query whose table has a global index. The first call decides: rows come by key if
 * an index knows few that may match, and from scans otherwise. As both come in row-key order, a
 * scan can take over behind any row if something fails. Not thread-safe.
 */
public final class GlobalRows implements RowStream {
  private static final Logger LOG = LoggerFactory.getLogger(GlobalRows.class);

  private final RowRanges rows;
  private final Ways ways;
  private Outcome outcome;
  private Candidates candidates;
  private RowStream plain;
  private byte[] last;
  private String failure = "";
  private long rowsRead;
  private boolean closed;

  /** The ways to answer the query. */
  public interface Ways {
    /** Asks the indexes. */
    Outcome search() throws IOException;

    /** The rows that match among those found. */
    Candidates candidates(Found found) throws IOException;

    /** The rows that match in ranges, from scans. */
    RowStream plain(RowRanges rows) throws IOException;
  }

  /** Nothing is asked before the first row is. */
  public GlobalRows(RowRanges rows, Ways ways) {
    this.rows = rows;
    this.ways = ways;
  }

  @Override
  public Result next() throws IOException {
    if (closed) {
      return null;
    }
    if (outcome == null) {
      decide();
    }
    return candidates == null ? plain.next() : nextCandidate();
  }

  private void decide() throws IOException {
    outcome = ways.search();
    if (outcome.found().isEmpty()) {
      plain = ways.plain(rows);
      return;
    }
    try {
      candidates = ways.candidates(outcome.found().get());
    } catch (IOException | RuntimeException e) {
      failOver(e);
    }
  }

  private Result nextCandidate() throws IOException {
    try {
      Result row = candidates.next();
      last = row == null ? last : row.getRow();
      return row;
    } catch (IOException e) {
      failOver(e);
      return plain.next();
    }
  }

  private void failOver(Exception e) throws IOException {
    Bounded.requireNotInterrupted(e);
    LOG.info("Reading the rows of a global index failed: the rest comes from a scan", e);
    failure = Refusals.text(e);
    if (candidates != null) {
      rowsRead = candidates.rowsRead();
      candidates.close();
      candidates = null;
    }
    plain = ways.plain(last == null ? rows : rows.after(last));
  }

  /** What the search found; null before the first row was asked for. */
  public Outcome outcome() {
    return outcome;
  }

  /** Why a scan took over from the index, or empty. */
  public String failure() {
    return failure;
  }

  /** How many rows were read by key. */
  public long rowsRead() {
    return candidates == null ? rowsRead : candidates.rowsRead();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (candidates != null) {
      candidates.close();
    }
    if (plain != null) {
      plain.close();
    }
  }
}
