package io.spyhop.bench.pruning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.bench.tpcds.TpcdsTable;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RegionMatchesTest {
  private static final TableScan SCAN =
      TableScan.of(TpcdsTable.TIME_DIM, Term.equal("t_hour", 8), Term.atLeast("t_minute", 30));

  private static Map<String, byte[]> time(int hour, int minute) {
    return Map.of("t_hour", Bytes.toBytes(hour), "t_minute", Bytes.toBytes(minute));
  }

  private static List<byte[]> regions(String... startKeys) {
    return List.of(startKeys).stream().map(Bytes::toBytes).toList();
  }

  @Test
  void countsRegionsOnceAndRowsAll() {
    RegionMatches matches = new RegionMatches(SCAN, regions("", "b", "c", "d"));
    matches.row(Bytes.toBytes("a1"), time(8, 30)::get);
    matches.row(Bytes.toBytes("a2"), time(8, 59)::get);
    matches.row(Bytes.toBytes("b"), time(8, 29)::get);
    matches.row(Bytes.toBytes("c"), time(7, 30)::get);
    matches.row(Bytes.toBytes("d"), time(8, 30)::get);
    assertThat(matches.regions()).isEqualTo(2);
    assertThat(matches.rows()).isEqualTo(3);
  }

  @Test
  void aRowWithoutTheColumnDoesNotMatch() {
    RegionMatches matches = new RegionMatches(SCAN, regions(""));
    matches.row(Bytes.toBytes("a"), Map.of("t_hour", Bytes.toBytes(8))::get);
    assertThat(matches.regions()).isZero();
    assertThat(matches.rows()).isZero();
  }

  @Test
  void regionsMustCoverTheTable() {
    assertThatThrownBy(() -> new RegionMatches(SCAN, regions("b")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void textIsComparedAsAWhole() {
    Term term = Term.equal("s_store_name", "ese");
    assertThat(term.matches(Bytes.toBytes("ese"))).isTrue();
    assertThat(term.matches(Bytes.toBytes("eseought"))).isFalse();
    assertThat(term.sql()).isEqualTo("s_store_name = 'ese'");
    assertThat(SCAN.where()).isEqualTo("t_hour = 8 AND t_minute >= 30");
  }
}
