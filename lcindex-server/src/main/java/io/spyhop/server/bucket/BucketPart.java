package io.spyhop.server.bucket;

import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.BelievedBuckets;
import io.spyhop.core.protocol.DefinitionsChangedException;
import io.spyhop.server.index.BatchOperations;
import io.spyhop.server.index.LoadedRows;
import io.spyhop.server.index.RegionContext;
import io.spyhop.server.index.RegionPart;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards the rows of a bucketed table's region. Operations on rows whose prefix is not their key's
 * hash are refused, as a client that asks for the key would not find them: they come from a handle
 * of an earlier table of that name, or from a client without Spyhop. So are operations, in plain
 * tables, too, whose client takes the table for one with other buckets (docs/decisions/0057). And
 * writes of a region that is about to be moved are held up, for a short time, so that its memstore
 * is empty when it closes (DynaHash, section V-C): HBase's clients try them again, and they are
 * welcome where the region is by then. Thread-safe.
 */
public final class BucketPart implements RegionPart {
  private static final Logger LOG = LoggerFactory.getLogger(BucketPart.class);
  private static final long OPEN = 0;
  private static final long NO_READ_POINT = -1;

  private final RegionContext context;
  private final RegionInfo region;
  private final boolean bucketed;

  /** Null of a plain table, and where its buckets cannot be read. */
  private final BucketKeys keys;

  /** Until when, in nanoseconds; {@link #OPEN} if not at all. */
  private volatile long heldUntil = OPEN;

  /** Of a region that opens. */
  public BucketPart(RegionContext context) {
    this.context = context;
    this.region = context.region().getRegionInfo();
    this.bucketed = context.region().getTableDescriptor().getValue(BucketOptions.KEY) != null;
    this.keys = keys(context.region().getTableDescriptor());
  }

  private static BucketKeys keys(TableDescriptor table) {
    try {
      return BucketOptions.of(table).map(BucketOptions::keys).orElse(null);
    } catch (InvalidBucketsException e) {
      LOG.warn("Writes are refused: {}", e.getMessage());
      return null;
    }
  }

  /**
   * Holds up writes from now on.
   *
   * @param millis for how long; 0 lets them in again
   */
  public void hold(long millis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    heldUntil = millis <= 0 ? OPEN : until == OPEN ? 1 : until;
  }

  private void requireOpen() throws RegionTooBusyException {
    long until = heldUntil;
    if (until != OPEN && until - System.nanoTime() > 0) {
      throw new RegionTooBusyException(
          "region "
              + region.getRegionNameAsString()
              + " is about to be moved to another server: try again");
    }
  }

  /**
   * HBase's client goes on behind the last row that it has where a region is by then, at the read
   * point that it had before; nobody knows of it there, and what was visible at it may be gone, as
   * newer versions have come and a compaction has dropped it (docs/decisions/0007). Buckets move by
   * themselves, so what is left is read as it is now. Where a client may have a part of the row at
   * which it begins, that is read as it was.
   */
  @Override
  public void scanning(Scan scan) {
    if (bucketed
        && scan.getBatch() <= 0
        && isBehindARow(scan)
        && PackagePrivateFieldAccessor.getMvccReadPoint(scan) > 0) {
      PackagePrivateFieldAccessor.setMvccReadPoint(scan, NO_READ_POINT);
    }
  }

  /** HBase's client makes the row behind one by appending a 0. */
  private static boolean isBehindARow(Scan scan) {
    byte[] start = scan.getStartRow();
    return !scan.includeStartRow() || start.length > 0 && start[start.length - 1] == 0;
  }

  /**
   * Refuses what does not fit: alone, where each operation is for itself, and all that comes with
   * it otherwise.
   */
  @Override
  public void write(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    requireOpen();
    Optional<BucketKeys> keys = keys();
    for (int i = 0; i < batch.size(); i++) {
      if (!BatchOperations.isPending(batch, i)) {
        continue;
      }
      Mutation[] others = batch.getOperationsFromCoprocessors(i);
      for (int j = 0; others != null && j < others.length; j++) {
        require(misfit(keys, others[j]));
      }
      Mutation mutation = batch.getOperation(i);
      Optional<String> refusal = refusal(keys, mutation);
      if (refusal.isPresent()) {
        if (!mayFailAlone(mutation)) {
          require(refusal);
        }
        batch.setOperationStatus(
            i, new OperationStatus(OperationStatusCode.SANITY_CHECK_FAILURE, refusal.get()));
      }
    }
  }

  /** HBase looks at no mark of an increment or append, and acknowledges it. */
  private static boolean mayFailAlone(Mutation mutation) {
    return (mutation instanceof Put || mutation instanceof Delete) && Calls.isOfSingleOperations();
  }

  private Optional<String> refusal(Optional<BucketKeys> keys, Mutation mutation) {
    Optional<String> other = BelievedBuckets.refusal(region.getTable(), mutation, keys);
    return other.isPresent() ? other : misfit(keys, mutation);
  }

  /** Rows too short for a prefix make scans fail, and have to be removable nonetheless. */
  private Optional<String> misfit(Optional<BucketKeys> keys, Mutation mutation) {
    byte[] row = mutation.getRow();
    return mutation instanceof Delete && row.length <= BucketOptions.WIDTH
        ? Optional.empty()
        : misfit(keys, row);
  }

  private Optional<String> misfit(Optional<BucketKeys> keys, byte[] row) {
    if (keys.isEmpty() || keys.get().fits(row)) {
      return Optional.empty();
    }
    return Optional.of(
        "table '"
            + region.getTable()
            + "' has buckets of "
            + keys.get()
            + ", and the first bytes of row "
            + Bytes.toStringBinary(row)
            + " are not its key's hash: no such row can be there. If the table was created anew, "
            + BelievedBuckets.REMEDY
            + "; use BucketedTable for keys of users");
  }

  private static void require(Optional<String> refusal) throws DoNotRetryIOException {
    if (refusal.isPresent()) {
      throw new DoNotRetryIOException(refusal.get());
    }
  }

  /**
   * "No such row" is no answer to a handle of another table. Questions to the region travel as Gets
   * of any row.
   */
  @Override
  public void read(ObserverContext<RegionCoprocessorEnvironment> c, Get get) throws IOException {
    if (get.getAttribute(Attributes.REQUEST) == null) {
      requireBelieved(get);
      require(misfit(keys(), get.getRow()));
    }
  }

  /**
   * Checks what a client takes the table's rows for.
   *
   * @throws DefinitionsChangedException if its table is another one
   */
  public void requireBelieved(Query read) throws IOException {
    if (read.getAttribute(Attributes.BUCKETS) == null) {
      return;
    }
    Optional<String> refusal = BelievedBuckets.refusal(region.getTable(), read, keys());
    if (refusal.isPresent()) {
      throw new DefinitionsChangedException(refusal.get());
    }
  }

  /** Empty of a plain table. */
  private Optional<BucketKeys> keys() throws DoNotRetryIOException {
    if (bucketed && keys == null) {
      throw new DoNotRetryIOException(
          "table '" + region.getTable() + "': its buckets cannot be read by this server's Spyhop");
    }
    return Optional.ofNullable(keys);
  }

  /** A row that does not fit is lost to those who ask for its key, and would be so for ever. */
  @Override
  public void load(List<Pair<byte[], String>> files) throws IOException {
    requireOpen();
    Optional<BucketKeys> keys = keys();
    if (keys.isPresent()) {
      context
          .service(LoadedRows.class)
          .forEach(context.region(), files, (file, row) -> require(keys.get(), file, row));
    }
  }

  private void require(BucketKeys keys, Path file, byte[] row) throws DoNotRetryIOException {
    if (!keys.fits(row)) {
      throw new DoNotRetryIOException(
          "table '"
              + region.getTable()
              + "' has buckets of "
              + keys
              + ", and the first bytes of row "
              + Bytes.toStringBinary(row)
              + " of '"
              + file
              + "' are not its key's hash: the region takes nothing of the load. Write HFiles of stored"
              + " rows, BucketOptions.of(descriptor).orElseThrow().keys().stored(key)");
    }
  }
}
