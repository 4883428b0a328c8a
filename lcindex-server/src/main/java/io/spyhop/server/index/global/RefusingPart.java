package io.spyhop.server.index.global;

import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.index.RegionPart;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Pair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses all writes to a table with global indexes, where these are not known: before the region
 * is open, and where Spyhop could not be started. Immutable.
 */
public final class RefusingPart implements RegionPart {
  private static final Logger LOG = LoggerFactory.getLogger(RefusingPart.class);

  private final String refusal;

  /** Throws nothing: where definitions cannot be read, there may be global indexes. */
  public RefusingPart(TableDescriptor table) {
    refusal =
        isIndexed(table)
            ? "table '"
                + table.getTableName()
                + "' has global indexes, and Spyhop does not run on this server: see its log"
            : null;
  }

  private static boolean isIndexed(TableDescriptor table) {
    try {
      return !IndexSchema.of(table).globals().isEmpty();
    } catch (Throwable t) {
      LOG.error("Cannot read the indexes of {}", table.getTableName(), t);
      return true;
    }
  }

  private void refuse() throws IOException {
    if (refusal != null) {
      throw new RegionTooBusyException(refusal);
    }
  }

  @Override
  public void write(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    refuse();
  }

  @Override
  public void write(Mutation mutation, List<Pair<Cell, Cell>> cells) throws IOException {
    refuse();
  }

  @Override
  public void load(List<Pair<byte[], String>> files) throws IOException {
    refuse();
  }
}
