package io.spyhop.server.index.stats;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.prune.Pruner;
import io.spyhop.core.prune.ScanState;
import io.spyhop.core.stats.RegionSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Rule 18: an HFile or a memstore whose own statistics do not match is read all the same, as it may
 * hide what matches elsewhere. Each test shows the answer that skipping it would have given.
 */
class OneSourceAloneTest {
  private static final Predicate A5 = column("a").eq(5);

  /** The values of column a that a reader of the oldest HFile alone would see. */
  private static List<Long> oldestFileAlone(StatisticsTable t) throws IOException {
    HStoreFile oldest = t.region().getStore(StatisticsTable.F).getStorefiles().iterator().next();
    List<Long> values = new ArrayList<>();
    StoreFileScanner s = oldest.getStreamScanner(false, false, false, Long.MAX_VALUE, 0, false);
    try {
      s.seek(KeyValue.LOWESTKEY);
      for (Cell c = s.next(); c != null; c = s.next()) {
        if (CellUtil.matchingQualifier(c, Bytes.toBytes("a"))) {
          values.add(Bytes.toLong(CellUtil.cloneValue(c)));
        }
      }
    } finally {
      s.close();
    }
    return values;
  }

  private static boolean mightMatch(StatisticsTable t, boolean files) throws IOException {
    RegionSummary s = t.summary();
    return Pruner.mightMatch(t.bind(A5), files ? s.files() : s.memstore(), true);
  }

  @Test
  void newerVersionInTheMemstore() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r", 5, 1);
      t.flush();
      t.write("r", 9, 1);
      assertThat(mightMatch(t, true)).isTrue();
      assertThat(mightMatch(t, false)).as("the memstore cannot match").isFalse();
      assertThat(t.decide(A5)).as("and is read all the same").isEqualTo(ScanState.RSM);
      assertThat(t.rows(A5)).isEmpty();
      assertThat(oldestFileAlone(t)).as("the HFile alone says so wrongly").containsExactly(5L);
    }
  }

  @Test
  void deleteMarkerInTheMemstore() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r", 5, 1);
      t.flush();
      t.table().delete(new Delete(Bytes.toBytes("r")));
      assertThat(mightMatch(t, false)).as("the memstore cannot match").isFalse();
      assertThat(t.decide(A5)).isEqualTo(ScanState.RSM);
      assertThat(t.rows(A5)).isEmpty();
      assertThat(oldestFileAlone(t)).containsExactly(5L);
    }
  }

  @Test
  void newerVersionInAnotherFile() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r", 5, 1);
      t.flush();
      t.write("r", 9, 1);
      t.flush();
      assertThat(t.decide(A5)).isEqualTo(ScanState.RS);
      assertThat(t.rows(A5)).isEmpty();
      assertThat(oldestFileAlone(t)).containsExactly(5L);
    }
  }
}
