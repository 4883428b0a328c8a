package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.server.hook.Globals;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a message says of entries, by every way that leads to a repair: none of a live cell
 * goes.
 */
class UnsoundEntriesTest {
  private static TestCluster cluster;

  /** A way to name entries. */
  enum Way {
    HINT,
    DANGLING,
    FORWARD
  }

  @BeforeAll
  static void start() {
    cluster = TestCluster.start(1, conf -> conf.setLong("spyhop.global.grace.ms", 0));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static void name(GlobalFixture t, Way way, String at, Entry entry) throws IOException {
    CoprocessorRpcChannel region = t.table().coprocessorService(Bytes.toBytes(at));
    long incarnation = t.definition().incarnation();
    byte[] list = new EntryList("v", incarnation, List.of(entry)).encode();
    switch (way) {
      case HINT -> ServerCalls.ask(region, Question.REPAIR, list);
      case FORWARD -> ServerCalls.ask(region, Question.FORWARD, list);
      case DANGLING ->
          ServerCalls.ask(
              region,
              Question.DANGLING,
              new VerifyRequest("v", incarnation, true, new byte[0], 1, List.of(entry)).encode());
      default -> throw new AssertionError(way);
    }
  }

  private static Entry entry(GlobalFixture t, String row, long value, long timestamp) {
    byte[] key = t.definition().type().codec().key(Bytes.toBytes(value), 0, Long.BYTES).bytes();
    return new Entry(key, Bytes.toBytes(row), timestamp);
  }

  /** An entry that nothing is behind. */
  private static Entry dangling(GlobalFixture t, String row) throws IOException {
    Entry entry = entry(t, row, 9, 100);
    try (Table index = cluster.connection().getTable(t.indexName())) {
      index.put(entry.put(false));
    }
    return entry;
  }

  private static long deleteMarkers(GlobalFixture t) throws IOException {
    Scan raw = new Scan().addFamily(IndexTable.ENTRIES).setRaw(true).readAllVersions();
    try (Table index = cluster.connection().getTable(t.indexName());
        ResultScanner rows = index.getScanner(raw)) {
      return Stream.generate(() -> next(rows))
          .takeWhile(r -> r != null)
          .flatMap(r -> Arrays.stream(r.rawCells()))
          .filter(CellUtil::isDelete)
          .count();
    }
  }

  private static Result next(ResultScanner rows) {
    try {
      return rows.next();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertRefused(Way way, Entry... entries) throws Exception {
    for (Entry e : entries) {
      try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
        t.awaitBuilt();
        t.write(put("a", 1, 100));
        Throwable refusal = catchThrowable(() -> name(t, way, "a", e));
        Globals.drain(cluster);
        assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
        assertThat(refusal).isInstanceOf(DoNotRetryIOException.class);
        assertThat(deleteMarkers(t)).isZero();
        name(t, way, "b", dangling(t, "b"));
        Globals.drain(cluster);
        assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
      }
    }
  }

  private static byte[] key(long value) {
    byte[] key = new byte[1 + Long.BYTES];
    key[0] = 0x2c;
    System.arraycopy(Bytes.toBytes(value ^ Long.MIN_VALUE), 0, key, 1, Long.BYTES);
    return key;
  }

  /** HBase takes it for the newest version, whichever that is. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void theTimestampThatStandsForTheNewest(Way way) throws Exception {
    assertRefused(way, new Entry(key(1), Bytes.toBytes("a"), Long.MAX_VALUE));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aTimestampThatNoCellHas(Way way) throws Exception {
    assertRefused(way, new Entry(key(1), Bytes.toBytes("a"), -1));
  }

  /** The same row of the index table, but another row of the base table is looked at. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void valueAndRowCutElsewhere(Way way) throws Exception {
    byte[] row = Bytes.add(key(1), Bytes.toBytes("a"));
    assertRefused(
        way,
        new Entry(Arrays.copyOf(row, 5), Arrays.copyOfRange(row, 5, row.length), 100),
        new Entry(new byte[0], row, 100));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void anEntryThatNeverWasLeavesNoMarker(Way way) throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      t.write(put("a", 1, 100));
      name(t, way, "b", entry(t, "b", 2, 100));
      Globals.drain(cluster);
      assertThat(deleteMarkers(t)).isZero();
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    }
  }

  /** Who reads one region does not have another one work, nor anything written to disk there. */
  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"HINT", "FORWARD"})
  void rowsOfOtherRegionsAreNobodys(Way way) throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d, "m")) {
      t.awaitBuilt();
      Entry entry = dangling(t, "z");
      Throwable refusal = catchThrowable(() -> name(t, way, "a", entry));
      Globals.drain(cluster);
      assertThat(t.entries()).containsExactly(entry.toString());
      assertThat(refusal == null).isEqualTo(way == Way.HINT);
      name(t, way, "z", entry);
      Globals.drain(cluster);
      assertThat(t.entries()).isEmpty();
    }
  }
}
