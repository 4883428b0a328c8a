package io.spyhop.bench.pruning;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.bench.tpcds.TpcdsTable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PaperQueryTest {
  @Test
  void tablesAreThoseOfTable3() {
    assertThat(tables(PaperQuery.Q42)).containsExactly(TpcdsTable.DATE_DIM, TpcdsTable.ITEM);
    assertThat(tables(PaperQuery.Q52)).containsExactly(TpcdsTable.DATE_DIM, TpcdsTable.ITEM);
    assertThat(tables(PaperQuery.Q55)).containsExactly(TpcdsTable.DATE_DIM, TpcdsTable.ITEM);
    assertThat(tables(PaperQuery.Q96))
        .containsExactly(TpcdsTable.HOUSEHOLD_DEMOGRAPHICS, TpcdsTable.TIME_DIM, TpcdsTable.STORE);
  }

  private static List<TpcdsTable> tables(PaperQuery query) {
    return query.instances(1).get(0).stream().map(TableScan::table).toList();
  }

  @ParameterizedTest
  @EnumSource
  void parametersAreDrawnTheSameEveryTimeAndVary(PaperQuery query) {
    List<List<TableScan>> instances = query.instances(16);
    assertThat(query.instances(16)).isEqualTo(instances);
    assertThat(instances.stream().distinct().count()).isGreaterThan(1);
  }

  @ParameterizedTest
  @EnumSource
  void predicatesAreOnColumnsWithStatistics(PaperQuery query) {
    for (TableScan scan : query.instances(1).get(0)) {
      assertThat(scan.table().statisticsColumns().keySet())
          .containsAll(scan.terms().stream().map(Term::column).toList());
    }
  }
}
