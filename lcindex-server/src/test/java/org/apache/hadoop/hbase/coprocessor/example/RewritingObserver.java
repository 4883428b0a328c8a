package org.apache.hadoop.hbase.coprocessor.example;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/**
 * Turns all bits of all values in a compaction, and keeps all counts; in a package of HBase's, as
 * those of hbase-examples are.
 */
public final class RewritingObserver implements RegionCoprocessor, RegionObserver {
  private record Rewriting(InternalScanner scanner) implements InternalScanner {
    @Override
    public boolean next(List<Cell> result, ScannerContext context) throws IOException {
      int from = result.size();
      boolean more = scanner.next(result, context);
      for (int i = from; i < result.size(); i++) {
        result.set(i, rewritten(result.get(i)));
      }
      return more;
    }

    @Override
    public void close() throws IOException {
      scanner.close();
    }
  }

  /** The value that a compaction writes for this one. */
  public static byte[] rewritten(byte[] value) {
    byte[] other = value.clone();
    for (int i = 0; i < other.length; i++) {
      other[i] = (byte) ~other[i];
    }
    return other;
  }

  private static Cell rewritten(Cell c) {
    KeyValue cell =
        new KeyValue(
            CellUtil.cloneRow(c),
            CellUtil.cloneFamily(c),
            CellUtil.cloneQualifier(c),
            c.getTimestamp(),
            rewritten(CellUtil.cloneValue(c)));
    cell.setSequenceId(c.getSequenceId());
    return cell;
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public InternalScanner preCompact(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      InternalScanner scanner,
      ScanType type,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    return new Rewriting(scanner);
  }
}
