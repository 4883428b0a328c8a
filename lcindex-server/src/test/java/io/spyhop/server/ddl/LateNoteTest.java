package io.spyhop.server.ddl;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.server.index.global.ControlRows;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.index.global.opening.ControlNotes.Built;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Notes that a builder makes after an un-build, of what it built before, do not count (rule 26).
 */
class LateNoteTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final byte[] NONE = {};

  /** Notes of such a number count for every opening, if their epoch does. */
  private static final long LATER = 1_000_000;

  private static ControlNotes notes(GlobalFixture t) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Table index = CLUSTER.connection().getTable(t.indexName());
        ResultScanner rows = index.getScanner(ControlRows.scan())) {
      for (Result r : rows) {
        cells.addAll(r.listCells());
      }
    }
    return ControlRows.notes(cells);
  }

  private static void note(GlobalFixture t, Put note) throws IOException {
    try (Table index = CLUSTER.connection().getTable(t.indexName())) {
      index.put(note);
    }
  }

  private static void forgetEpoch(GlobalFixture t) throws IOException {
    try (Table index = CLUSTER.connection().getTable(t.indexName())) {
      index.delete(new Delete(ControlRows.epoch().getRow()).addFamily(IndexTable.CONTROL));
    }
  }

  /** As builders of earlier versions note it. */
  private static Put oldNote() {
    byte[] all = new BuiltRanges(List.of(new BuiltRanges.Range(NONE, NONE))).encode();
    return new Put(Bytes.toBytes("\0b")).addColumn(IndexTable.CONTROL, IndexTable.QUALIFIER, all);
  }

  @Test
  void lateNotesDoNotOutliveAnUnbuild() throws Exception {
    try (GlobalFixture t = new GlobalFixture();
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection());
        SystemConnection connection = new SystemConnection(CLUSTER.util().getConfiguration())) {
      IndexTables tables =
          new IndexTables(
              connection, new HiddenBoundaries(CLUSTER.util().getConfiguration()), index -> {});
      t.write(put("a", 1));
      t.awaitBuilt();
      for (boolean ofEarlierVersion : List.of(false, true)) {
        if (ofEarlierVersion) {
          forgetEpoch(t);
        }
        ControlNotes before = notes(t);
        assertThat(before.epoch().isEmpty()).isEqualTo(ofEarlierVersion);
        tables.unbuild(t.indexName());
        long late = before.greatestNumber() + LATER;
        note(t, ControlRows.built(before.epoch(), NONE, NONE, late));
        note(t, oldNote());
        assertThat(notes(t).built()).extracting(Built::number).doesNotContain(late, 0L);
        assertThat(notes(t).epoch()).isNotEqualTo(before.epoch());
        assertThat(notes(t).marks()).usingRecursiveComparison().isEqualTo(before.marks());
        spyhop.admin().waitUntilActive(t.name(), Duration.ofSeconds(60));
        assertThat(t.entries()).isEqualTo(t.expected());
      }
    }
  }
}
