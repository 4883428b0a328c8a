package io.spyhop.bench.tpcds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import java.time.temporal.JulianFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TpcdsTableTest {
  @Test
  void theFirstDayIsStoredAsDeclared() {
    Put put = TpcdsTable.DATE_DIM.put(new TpcdsRows(TpcdsTable.DATE_DIM, 1, 1).next());
    assertThat(put.getRow()).isEqualTo(Bytes.toBytes("0002415022"));
    assertThat(TpcdsTable.number(value(put, "d_year"))).isEqualTo(1900);
    assertThat(TpcdsTable.number(value(put, "d_moy"))).isEqualTo(1);
    assertThat(Bytes.toString(value(put, "row")))
        .startsWith("2415022|AAAAAAAAOKJNECAA|1900-01-02|0|")
        .endsWith("|N|N|N|N|N");
  }

  private static byte[] value(Put put, String column) {
    return CellUtil.cloneValue(put.get(TpcdsTable.FAMILY, Bytes.toBytes(column)).get(0));
  }

  @Test
  void nullsAreNotStored() {
    List<String> row = new ArrayList<>(new TpcdsRows(TpcdsTable.ITEM, 1, 1).next());
    byte[] column = Bytes.toBytes("i_manager_id");
    assertThat(TpcdsTable.ITEM.put(row).get(TpcdsTable.FAMILY, column)).hasSize(1);
    row.set(TpcdsTable.ITEM.columns().indexOf("i_manager_id"), null);
    assertThat(TpcdsTable.ITEM.put(row).get(TpcdsTable.FAMILY, column)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void rowsAreGeneratedInKeyOrderAsFarAsTheFirstKeyColumnGoes(TpcdsTable table) {
    TpcdsRows rows = new TpcdsRows(table, 1, 1_000);
    byte[] last = new byte[0];
    while (rows.hasNext()) {
      byte[] key = Bytes.head(table.key(rows.next()), 10);
      assertThat(Bytes.compareTo(last, key)).isLessThanOrEqualTo(0);
      last = key;
    }
  }

  @ParameterizedTest
  @EnumSource
  void columnsWithStatisticsExist(TpcdsTable table) {
    assertThat(table.columns()).containsAll(table.statisticsColumns().keySet());
  }

  @Test
  void salesOfAllPartsAreOfAllYears() {
    TpcdsRows rows = TpcdsRows.spread(TpcdsTable.STORE_SALES, 1, 1_000, 50);
    Set<String> years = new TreeSet<>();
    byte[] last = new byte[0];
    int count = 0;
    while (rows.hasNext()) {
      List<String> row = rows.next();
      byte[] key = Bytes.head(TpcdsTable.STORE_SALES.key(row), 10);
      assertThat(Bytes.compareTo(last, key)).isLessThanOrEqualTo(0);
      last = key;
      count++;
      String day = row.get(0);
      if (day != null) {
        years.add(
            LocalDate.MIN
                .with(JulianFields.JULIAN_DAY, Long.parseLong(day))
                .toString()
                .substring(0, 4));
      }
    }
    assertThat(count).isEqualTo(1_000);
    assertThat(years).containsExactly("1998", "1999", "2000", "2001", "2002");
  }

  @Test
  void aLimitIsALimit() {
    TpcdsRows rows = new TpcdsRows(TpcdsTable.STORE_SALES, 1, 3);
    for (int i = 0; i < 3; i++) {
      assertThat(rows.hasNext()).isTrue();
      rows.next();
    }
    assertThat(rows.hasNext()).isFalse();
    assertThatThrownBy(rows::next).hasMessageContaining("limit");
  }
}
