package io.spyhop.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JDBC as programs, pools and frameworks expect it, whatever the rows are. */
class ConformanceTest {
  private static final String FOUR = "(VALUES (1), (2), (3), (4)) AS t(n)";
  private static final String MOMENTS =
      "WITH m AS (SELECT n, TIMESTAMP '2020-01-01 00:00:00.123' + n * INTERVAL '1' DAY AS t FROM "
          + FOUR
          + ") SELECT ";
  private static final String ENDLESS =
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 2000000000) ";
  private static Connection connection;

  @BeforeAll
  static void start() throws Exception {
    JdbcCluster.start();
    connection = JdbcCluster.connect();
  }

  @AfterAll
  static void stop() throws SQLException {
    connection.close();
  }

  @Test
  void noMoreRowsThanWanted() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT n FROM " + FOUR)) {
      statement.setMaxRows(3);
      assertThat(numbers(statement.executeQuery())).hasSize(3);
      statement.setMaxRows(0);
      assertThat(numbers(statement.executeQuery())).hasSize(4);
    }
  }

  /** A pool's statement is used again after it was cancelled, or just too late to be. */
  @Test
  void aCancelEndsOneExecution() throws SQLException {
    String endless = "SELECT a.n FROM " + FOUR + ", (VALUES (1), (2)) AS a(n)";
    try (PreparedStatement prepared = connection.prepareStatement(endless);
        Statement statement = connection.createStatement()) {
      statement.cancel();
      assertThat(numbers(statement.executeQuery(endless))).hasSize(8);
      prepared.cancel();
      ResultSet rows = prepared.executeQuery();
      rows.next();
      prepared.cancel();
      assertThatThrownBy(rows::next).isInstanceOf(SQLException.class);
      rows.close();
      assertThat(numbers(prepared.executeQuery())).hasSize(8);
    }
  }

  /** It reads no table that would look at the clock. */
  @Test
  void theTimeOfAStatementWithoutEndEnds() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      assertThatThrownBy(() -> numbers(statement.executeQuery(ENDLESS + "SELECT COUNT(*) FROM r")))
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessageContaining("within 1 s");
      assertThat(numbers(statement.executeQuery("SELECT n FROM " + FOUR))).hasSize(4);
    }
  }

  @Test
  void parametersAreDescribed() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT n FROM " + FOUR + " WHERE n = ? OR n > ?")) {
      assertThat(statement.getParameterMetaData().getParameterCount()).isEqualTo(2);
      assertThat(statement.getParameterMetaData().getParameterTypeName(1)).isEqualTo("INTEGER");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {" WHERE n > ?", " WHERE n = 3 OR n = ?", " LIMIT ?"})
  void aParameterNeedsAPreparedStatement(String rest) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> numbers(statement.executeQuery("SELECT n FROM " + FOUR + rest)))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("has a parameter (?) without a value: prepare it");
    }
  }

  @Test
  void aPlanNeedsNoValues() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      ResultSet plan =
          statement.executeQuery("EXPLAIN PLAN FOR SELECT n FROM " + FOUR + " WHERE n > ?");
      assertThat(plan.next()).isTrue();
      assertThat(plan.getString(1)).contains("?0");
    }
  }

  @Test
  void aConnectionClosesItsStatements() throws Exception {
    Connection own = JdbcCluster.connect();
    Statement statement = own.createStatement();
    PreparedStatement prepared = own.prepareStatement("SELECT n FROM " + FOUR);
    ResultSet rows = prepared.executeQuery();
    assertThat(rows.next()).isTrue();
    own.close();
    assertThat(statement.isClosed()).isTrue();
    assertThat(prepared.isClosed()).isTrue();
    assertThat(rows.isClosed()).isTrue();
    own.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "SUM(n) OVER (ORDER BY n RANGE BETWEEN 2 PRECEDING AND CURRENT ROW); RANGE with an offset",
        "COUNT(*) OVER (ORDER BY n DESC RANGE 1 PRECEDING); RANGE with an offset",
        "NTH_VALUE(n, 2) OVER (ORDER BY n); NTH_VALUE is not computed",
        "CAST(t AS VARCHAR); FLOOR(.. TO SECOND)",
        "CAST(t AS TIMESTAMP(0)); FLOOR(.. TO SECOND)",
        "(SELECT MAX(CAST(q.t AS VARCHAR)) FROM m AS q); FLOOR(.. TO SECOND)",
        "n FROM m WHERE 'x' || t > 'y' UNION SELECT 1; FLOOR(.. TO SECOND)"
      })
  void whatCalciteComputesWronglyIsRefused(String call, String message) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery(MOMENTS + call + " FROM m"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining(message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "SUM(n) OVER (ORDER BY n ROWS BETWEEN 2 PRECEDING AND CURRENT ROW); 1 3 6 9",
        "SUM(n) OVER (ORDER BY n); 1 3 6 10"
      })
  void otherWindowsAreComputed(String call, String values) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThat(numbers(statement.executeQuery("SELECT " + call + " FROM " + FOUR)))
          .extracting(String::valueOf)
          .isEqualTo(List.of(values.split(" ")));
    }
  }

  /** What does not fit is no number of another size. */
  @ParameterizedTest
  @CsvSource({
    "CAST(10000000000 AS BIGINT), false, true",
    "CAST(-2147483649 AS BIGINT), false, true",
    "CAST(2147483647 AS BIGINT), true, true",
    "CAST(1e10 AS DOUBLE), false, true",
    "CAST(1e30 AS DOUBLE), false, false",
    "CAST(-9.3e18 AS DOUBLE), false, false",
    "CAST(2.7 AS DOUBLE), true, true",
    "CAST(NULL AS DOUBLE), true, true",
    "CAST(12345678901234567890 AS DECIMAL(38)), false, false",
    "CAST(NULL AS BIGINT), true, true"
  })
  void numbersFit(String number, boolean isInt, boolean isLong) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT " + number + " AS n")) {
      rows.next();
      ThrowingCallable asInt = () -> rows.getInt("n");
      ThrowingCallable asLong = () -> rows.getLong("n");
      assertThat(catchThrowable(asInt) == null).isEqualTo(isInt);
      assertThat(catchThrowable(asLong) == null).isEqualTo(isLong);
      if (!isInt) {
        assertThatThrownBy(asInt)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("column n")
            .hasMessageContaining("2147483647");
      }
    }
  }

  @Test
  void classesOfTime() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT d, t FROM (VALUES (DATE '2026-07-01', TIMESTAMP '2026-07-01 12:00:00'))"
                + " AS x(d, t) WHERE t = ?")) {
      LocalDateTime noon = LocalDateTime.of(2026, 7, 1, 12, 0);
      for (Object moment :
          List.of(noon, noon.atOffset(ZoneOffset.UTC), noon.toInstant(ZoneOffset.UTC))) {
        statement.setObject(1, moment);
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getObject(2, LocalDateTime.class)).isEqualTo(noon);
          assertThat(rows.getObject("t", Instant.class)).isEqualTo(noon.toInstant(ZoneOffset.UTC));
          assertThat(rows.getObject(1, LocalDate.class)).isEqualTo(noon.toLocalDate());
        }
      }
    }
  }

  /** At this time of day no clock of the zone was. */
  @Test
  void timesBetweenSummerAndWinter() throws SQLException {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
    try (Connection berlin = JdbcCluster.connect();
        PreparedStatement statement =
            berlin.prepareStatement(
                "SELECT t FROM (VALUES (TIMESTAMP '2026-03-29 02:30:00')) AS x(t) WHERE t = ?")) {
      LocalDateTime none = LocalDateTime.of(2026, 3, 29, 2, 30);
      for (Object moment : List.of(none, none.toInstant(ZoneOffset.UTC))) {
        statement.setObject(1, moment);
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getObject(1, LocalDateTime.class)).isEqualTo(none);
        }
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  /** Pools and frameworks begin and end transactions around whatever they do. */
  @Test
  void transactionsDoNothing() throws SQLException {
    try (Connection own = JdbcCluster.connect();
        Statement statement = own.createStatement()) {
      own.setAutoCommit(false);
      assertThat(statement.getConnection()).isSameAs(own).isEqualTo(own);
      assertThat(numbers(statement.executeQuery("SELECT n FROM " + FOUR))).hasSize(4);
      own.commit();
      own.rollback();
      own.setReadOnly(false);
      assertThat(own.isReadOnly()).isTrue();
      assertThat(own.getMetaData().supportsBatchUpdates()).isFalse();
      assertThatThrownBy(
              () -> {
                statement.addBatch("INSERT INTO pike VALUES (1)");
                statement.executeBatch();
              })
          .isInstanceOf(SQLException.class);
    }
  }

  private static List<Integer> numbers(ResultSet rows) throws SQLException {
    List<Integer> numbers = new ArrayList<>();
    while (rows.next()) {
      numbers.add(rows.getInt(1));
    }
    return numbers;
  }
}
