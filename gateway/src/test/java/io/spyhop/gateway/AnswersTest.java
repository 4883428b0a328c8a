package io.spyhop.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.Query;
import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.flight.Criteria;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of a gateway that has no tokens, and what it refuses. */
class AnswersTest {
  private static final int FISH = 500;
  private static Gateway gateway;
  private static Client client;

  @BeforeAll
  static void start() throws Exception {
    GatewayCluster.start();
    gateway =
        Gateway.start(
            GatewayCluster.settings(GatewaySettings.Limits.DEFAULT), GatewayCluster.conf());
    client = Client.of(gateway);
    fish();
    types();
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    gateway.close();
  }

  /** Every third has no weight, every seventh no name, and some have neither. */
  private static void fish() throws Exception {
    List<Put> rows = new ArrayList<>();
    for (int i = 0; i < FISH; i++) {
      Put put = new Put(Bytes.toBytes(String.format("f%03d", i)));
      put.addColumn(GatewayCluster.D, Bytes.toBytes("note"), Bytes.toBytes("n" + i));
      if (i % 3 != 0) {
        put.addColumn(GatewayCluster.D, Bytes.toBytes("weight"), Bytes.toBytes((double) i));
      }
      if (i % 7 != 0) {
        put.addColumn(GatewayCluster.D, Bytes.toBytes("name"), Bytes.toBytes("fish" + i % 10));
      }
      rows.add(put);
    }
    GatewayCluster.table(
        "fish", Map.of("weight", ValueType.DOUBLE, "name", ValueType.STRING), rows);
  }

  /** A column of each type; one row of values, one of values that do not decode, one of none. */
  private static void types() throws Exception {
    Map<String, ValueType> columns = new TreeMap<>();
    Put values = new Put(Bytes.toBytes("1"));
    Put broken = new Put(Bytes.toBytes("2"));
    for (ValueType type : ValueType.values()) {
      columns.put(type.name(), type);
      byte[] column = Bytes.toBytes(type.name());
      values.addColumn(GatewayCluster.D, column, stored(type));
      broken.addColumn(GatewayCluster.D, column, new byte[] {(byte) 0xFF, 0});
    }
    Put none = new Put(Bytes.toBytes("3"));
    none.addColumn(GatewayCluster.D, Bytes.toBytes("other"), Bytes.toBytes(1L));
    GatewayCluster.table("types", columns, List.of(values, broken, none));
  }

  private static byte[] stored(ValueType type) {
    return switch (type) {
      case STRING -> Bytes.toBytes("K\u00e4se");
      case BYTES -> new byte[] {0, 65};
      case INT -> Bytes.toBytes(-7);
      case LONG -> Bytes.toBytes(Long.MIN_VALUE);
      case FLOAT -> Bytes.toBytes(1.5f);
      case DOUBLE -> Bytes.toBytes(-0.25);
      case DECIMAL -> Bytes.toBytes(new BigDecimal("12.50"));
      case BOOLEAN -> new byte[] {1};
      case TIMESTAMP -> Bytes.toBytes(1_000L);
      case DATE -> Bytes.toBytes("1970-01-03");
      case TEXT_LONG -> Bytes.toBytes("007");
      case TEXT_DOUBLE -> Bytes.toBytes("1e3");
      default -> ordered(type);
    };
  }

  private static byte[] ordered(ValueType type) {
    var to = new SimplePositionedMutableByteRange(100);
    Order up = Order.ASCENDING;
    switch (type) {
      case ORDERED_INT8 -> OrderedBytes.encodeInt8(to, (byte) 8, up);
      case ORDERED_INT16 -> OrderedBytes.encodeInt16(to, (short) 16, up);
      case ORDERED_INT32 -> OrderedBytes.encodeInt32(to, 32, up);
      case ORDERED_INT64 -> OrderedBytes.encodeInt64(to, 64, up);
      case ORDERED_FLOAT32 -> OrderedBytes.encodeFloat32(to, 0.5f, up);
      case ORDERED_FLOAT64 -> OrderedBytes.encodeFloat64(to, 0.125, up);
      case ORDERED_NUMERIC -> OrderedBytes.encodeNumeric(to, new BigDecimal("3.25"), up);
      case ORDERED_STRING -> OrderedBytes.encodeString(to, "text", up);
      case ORDERED_BLOB -> OrderedBytes.encodeBlobVar(to, new byte[] {66}, up);
      default -> throw new AssertionError(type);
    }
    return java.util.Arrays.copyOf(to.getBytes(), to.getPosition());
  }

  @Test
  void eachTypeHasItsOwnOfArrow() throws Exception {
    try (FlightStream stream = client.stream("{'version':1,'table':'types'}")) {
      assertThat(stream.getSchema().getFields())
          .extracting(Field::toString)
          .containsExactly(
              "rowkey: Binary not null",
              "BOOLEAN: Bool",
              "BYTES: Binary",
              "DATE: Date(DAY)",
              "DECIMAL: Decimal(76, 18, 256)",
              "DOUBLE: FloatingPoint(DOUBLE)",
              "FLOAT: FloatingPoint(SINGLE)",
              "INT: Int(32, true)",
              "LONG: Int(64, true)",
              "ORDERED_BLOB: Binary",
              "ORDERED_FLOAT32: FloatingPoint(SINGLE)",
              "ORDERED_FLOAT64: FloatingPoint(DOUBLE)",
              "ORDERED_INT16: Int(32, true)",
              "ORDERED_INT32: Int(32, true)",
              "ORDERED_INT64: Int(64, true)",
              "ORDERED_INT8: Int(32, true)",
              "ORDERED_NUMERIC: Decimal(76, 18, 256)",
              "ORDERED_STRING: Utf8",
              "STRING: Utf8",
              "TEXT_DOUBLE: FloatingPoint(DOUBLE)",
              "TEXT_LONG: Int(64, true)",
              "TIMESTAMP: Timestamp(MILLISECOND, UTC)");
    }
  }

  @Test
  void eachTypeHasItsValuesAndNulls() throws Exception {
    String nulls = " null".repeat(ValueType.values().length);
    assertThat(client.rows("{'version':1,'table':'types'}"))
        .hasSize(3)
        .contains("3" + nulls)
        .first()
        .isEqualTo(
            "1 true \0A 2 12.500000000000000000 -0.25 1.5 -7 -9223372036854775808 B 0.5 0.125 16 32"
                + " 64 8 3.250000000000000000 text K\u00e4se 1000.0 7 1000");
    // Any bytes are BYTES, and any byte is a truth value where it is one alone.
    assertThat(client.rows("{'version':1,'table':'types','columns':['LONG','STRING','DECIMAL']}"))
        .element(1)
        .isEqualTo("null null null");
  }

  @Test
  void aDecimalThatArrowHasNotIsRefusedAndItsBytesAreNot() throws Exception {
    List<Put> rows = new ArrayList<>();
    for (String number : List.of("1E-19", "1E+1000000000", "1E+58")) {
      rows.add(
          new Put(Bytes.toBytes(number))
              .addColumn(
                  GatewayCluster.D, Bytes.toBytes("m"), Bytes.toBytes(new BigDecimal(number))));
    }
    rows.add(
        new Put(Bytes.toBytes("9"))
            .addColumn(
                GatewayCluster.D, Bytes.toBytes("m"), Bytes.toBytes(new BigDecimal("1E+57"))));
    GatewayCluster.table("decimals", Map.of("m", ValueType.DECIMAL), rows);
    String digits = "1" + "0".repeat(57) + "." + "0".repeat(18);
    assertThat(client.rows("{'version':1,'table':'decimals','where':'m < 1E+58 and m > 1'}"))
        .containsExactly("9 " + digits);
    for (String where : List.of("m < 1", "m > 1E+100", "m = 1E+58")) {
      refused(
          FlightStatusCode.INVALID_ARGUMENT,
          "a value of column 'm' in the rows from '1E",
          "{'version':1,'table':'decimals','where':'" + where + "'}");
    }
    assertThat(
            client.rows(
                "{'version':1,'table':'decimals','where':'m < 1','columns':['CAST(m AS BYTES)']}"))
        .containsExactly("\0\0\0\u0013\u0001");
  }

  /** The keys of the plain scan with the same filter. */
  private static List<String> scanned(String where) throws Exception {
    TableName name = TableName.valueOf("fish");
    Scan scan = new Scan();
    if (!where.isEmpty()) {
      scan.setFilter(GatewayCluster.spyhop().table(name).filter(Query.where(where)));
    }
    List<String> keys = new ArrayList<>();
    try (Table table = GatewayCluster.connection().getTable(name);
        ResultScanner rows = table.getScanner(scan)) {
      for (var row = rows.next(); row != null; row = rows.next()) {
        keys.add(Bytes.toString(row.getRow()));
      }
    }
    return keys;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "weight > 100",
        "weight > 100 AND name = 'fish3'",
        "weight IS NULL",
        "weight IS NULL AND name IS NULL",
        "weight < 10 OR name IS NULL",
        "NOT weight > 100",
        "name LIKE 'fish1%' OR CAST(note AS STRING) = 'n0'"
      })
  void rowsAreThoseOfThePlainScanWhateverColumnsTheyHave(String where) throws Exception {
    List<String> expected = scanned(where);
    String quoted = where.replace("'", "\\u0027"); // which json() leaves alone
    for (String columns : List.of("'rowkey'", "'rowkey','weight'", "'rowkey','name','weight'")) {
      String json =
          "{'version':1,'table':'fish','where':\"" + quoted + "\",'columns':[" + columns + "]}";
      assertThat(client.rows(json))
          .as("%s", json)
          .extracting(row -> row.split(" ")[0])
          .isEqualTo(expected);
    }
  }

  @Test
  void columnsAreAsTheyAreNamed() throws Exception {
    assertThat(
            client.rows(
                "{'version':1,'table':'fish','where':\"weight = 4\",'columns':"
                    + "['name','d:weight','CAST(d:note AS STRING)','rowkey']}"))
        .containsExactly("fish4 4.0 n4 f004");
    try (FlightStream stream =
        client.stream(
            "{'version':1,'table':'fish','columns':['\\\"d:name\\\"','cast(\\\"note\\\" as BYTES)']}")) {
      assertThat(stream.getSchema().getFields())
          .extracting(Field::getName)
          .containsExactly("d:name", "note");
    }
  }

  @Test
  void parametersOrderAndLimit() throws Exception {
    assertThat(
            client.rows(
                "{'version':1,'table':'fish','where':'weight > :w AND name IN (:names)',"
                    + "'params':{'w':100.5,'names':['fish1','fish2']},"
                    + "'orderBy':'weight','descending':true,'limit':2,'columns':['weight']}"))
        .containsExactly("491.0", "482.0");
    assertThat(
            client.rows(
                "{'version':1,'table':'fish','where':'weight BETWEEN ? AND ?','params':[1,2],"
                    + "'columns':['rowkey']}"))
        .containsExactly("f001", "f002");
    assertThat(
            client.rows(
                "{'version':1,'table':'fish','where':'CAST(note AS BYTES) = ?',"
                    + "'params':[{'bytes':'bjc='}],'columns':['rowkey']}"))
        .containsExactly("f007");
    assertThat(
            client.rows(
                "{'version':1,'table':'types','where':'\\'BOOLEAN\\' = ? AND \\'INT\\' = ?',"
                    + "'params':[true,-7],'columns':['rowkey']}".replace("\\'", "\\\"")))
        .hasSizeLessThan(3);
  }

  @Test
  void batchesAreBoundedInRowsAndBytes() throws Exception {
    String all = "{'version':1,'table':'fish'}";
    Duration time = Duration.ofMinutes(1);
    for (var limits :
        List.of(
            new GatewaySettings.Limits(4, 64 << 20, time, 4, 100, 4 << 20),
            new GatewaySettings.Limits(4, 64 << 20, time, 4, 65_536, 20_000))) {
      try (Gateway small = Gateway.start(GatewayCluster.settings(limits), GatewayCluster.conf());
          Client of = Client.of(small)) {
        List<Integer> batches = new ArrayList<>();
        assertThat(of.rows(all, batches)).hasSize(FISH);
        assertThat(batches).hasSizeBetween(5, 20).allMatch(n -> n <= 200);
      }
    }
  }

  private static void refused(FlightStatusCode code, String message, String query) {
    assertThatThrownBy(() -> client.rows(query))
        .hasMessageContaining(message)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
        .extracting(e -> ((FlightRuntimeException) e).status().code())
        .isEqualTo(code);
  }

  @Test
  void plansAndCounts() throws Exception {
    String query = "{'version':1,'table':'fish','where':'weight > 100'}";
    assertThat(client.act("explain", query)).contains("fish").contains("weight");
    assertThat(client.act("count", query))
        .isEqualTo(String.valueOf(scanned("weight > 100").size()));
    assertThat(client.flight().listActions(client.options()))
        .extracting(a -> a.getType())
        .containsExactly("explain", "count");
  }

  @Test
  void tablesWithDeclaredColumnsAreListed() throws Exception {
    GatewayCluster.start().createTable(TableName.valueOf("plain"), GatewayCluster.D).close();
    List<String> listed = new ArrayList<>();
    for (FlightInfo info : client.flight().listFlights(Criteria.ALL, client.options())) {
      listed.add(info.getDescriptor() + " " + info.getSchema().getFields());
    }
    assertThat(listed)
        .anyMatch(t -> t.contains("fish") && t.contains("weight: FloatingPoint(DOUBLE)"))
        .noneMatch(t -> t.contains("plain"));
  }

  @Test
  void aTableIsAFlightOfAllItsRows() throws Exception {
    FlightInfo info = client.flight().getInfo(FlightDescriptor.path("fish"), client.options());
    assertThat(info.getSchema().getFields())
        .extracting(Field::getName)
        .containsExactly("rowkey", "name", "weight");
    byte[] ticket = info.getEndpoints().get(0).getTicket().getBytes();
    assertThat(client.rows(new String(ticket, StandardCharsets.UTF_8))).hasSize(FISH);
    byte[] command = Client.json("{'version':1,'table':'fish','columns':['name']}");
    FlightInfo of = client.flight().getInfo(FlightDescriptor.command(command), client.options());
    assertThat(of.getSchema().getFields()).extracting(Field::getName).containsExactly("name");
    assertThat(of.getEndpoints().get(0).getTicket().getBytes()).isEqualTo(command);
  }
}
