package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.global.GlobalSearch.Found;
import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows behind entries, as far as the base table says that they match. Entries that nothing
 * seems to be behind are told to the base table at the end. Not thread-safe.
 */
public final class Candidates implements RowStream {
  /** The most entries that one query has looked at again. */
  private static final int MAX_REPAIRS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(Candidates.class);

  private final Found found;
  private final How how;
  private final CandidateRows rows;
  private final List<Entry> stale = new ArrayList<>();
  private boolean closed;

  /**
   * The way in which candidate rows are read and judged.
   *
   * @param get makes the Get of a row, the whole predicate on it
   * @param shape what the caller gets of a row; null drops the row
   * @param indexAlone whether the predicate asks of the indexed column alone, so that an entry is
   *     probably stale if its row does not match
   * @param limit how many rows are wanted
   * @param repairs takes entries to be looked at again
   */
  public record How(
      Function<byte[], Get> get,
      UnaryOperator<Result> shape,
      boolean indexAlone,
      long limit,
      Repairs repairs) {}

  /** Rows of a table. */
  public Candidates(Connection connection, TableName table, Found found, How how)
      throws IOException {
    this.found = found;
    this.how = how;
    this.rows = new CandidateRows(connection, table, found.keys(), how.limit(), how.get()::apply);
  }

  private void note(byte[] row, Result result) {
    if (!how.indexAlone) {
      return;
    }
    IndexDefinition index = found.index();
    byte[] family = index.column().family();
    Cell newest = result.getColumnLatestCell(family, index.column().qualifier());
    for (Entry e : found.rows().get(row)) {
      boolean other = newest != null && isOfAnother(e, newest);
      if ((result.isEmpty() || other) && stale.size() < MAX_REPAIRS) {
        stale.add(e);
      }
    }
  }

  /** Whether it is of an older cell, or of one that lost its place to the newest. */
  private boolean isOfAnother(Entry e, Cell newest) {
    if (e.timestamp() != newest.getTimestamp()) {
      return e.timestamp() < newest.getTimestamp();
    }
    ValueKey key =
        found
            .index()
            .type()
            .codec()
            .key(newest.getValueArray(), newest.getValueOffset(), newest.getValueLength());
    return key == null || !Arrays.equals(key.bytes(), e.valueKey());
  }

  /** The next row that matches, or null after the last. */
  @Override
  public Result next() throws IOException {
    for (CandidateRows.Row row = rows.next(); row != null; row = rows.next()) {
      note(row.key(), row.result());
      Result shaped = row.result().isEmpty() ? null : how.shape.apply(row.result());
      if (shaped != null) {
        return shaped;
      }
    }
    return null;
  }

  /** How many rows were read by key so far. */
  public long rowsRead() {
    return rows.read();
  }

  /** Tells of stale entries; harmless when repeated. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      rows.close();
    } catch (IOException e) {
      LOG.debug("Closing the rows of a query failed", e);
    }
    how.repairs.offer(found.index(), stale);
  }
}
