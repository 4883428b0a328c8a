package io.spyhop.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.Query;
import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.Criteria;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Result;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of a gateway that has no tokens, and what it refuses. */
class AnswersTest {
  private static final int FISH = 500;
  private static Gateway gateway;
  private static Client client;

  @BeforeAll
  static void start() throws Exception {
    GatewayCluster.start();
    gateway = Gateway.start(settings(GatewaySettings.Limits.DEFAULT), GatewayCluster.conf());
    client = Client.of(gateway);
    fish();
    types();
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    gateway.close();
  }

  private static GatewaySettings settings(GatewaySettings.Limits limits) {
    return new GatewaySettings(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Optional.empty(),
        Optional.empty(),
        false,
        limits);
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
            "{'version':1,'table':'fish','columns':['d:name','cast(\\\"note\\\" as BYTES)']}")) {
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
      try (Gateway small = Gateway.start(settings(limits), GatewayCluster.conf());
          Client of = Client.of(small)) {
        List<Integer> batches = new ArrayList<>();
        assertThat(of.rows(all, batches)).hasSize(FISH);
        assertThat(batches).hasSizeBetween(5, 20).allMatch(n -> n <= 200);
      }
    }
  }

  @Test
  void aQueryMayNotTakeLongerThanTheGatewayAllows() throws Exception {
    var limits = new GatewaySettings.Limits(4, 64 << 20, Duration.ofMillis(1), 4, 100, 4 << 20);
    try (Gateway hasty = Gateway.start(settings(limits), GatewayCluster.conf());
        Client of = Client.of(hasty)) {
      for (String timeout : List.of("", ",'timeoutMs':600000")) {
        assertThatThrownBy(
                () -> of.rows("{'version':1,'table':'fish','where':'weight > 1'" + timeout + "}"))
            .hasMessageContaining("table 'fish': it was not answered within 1 ms");
      }
    }
  }

  @Test
  void aQueryOfTooManyBytesIsNotRead() {
    String where = "weight > 1".concat(" ".repeat(5 << 20));
    assertThatThrownBy(() -> client.rows("{'version':1,'table':'fish','where':'" + where + "'}"))
        .isInstanceOf(FlightRuntimeException.class)
        .hasMessageContaining("maximum size");
  }

  @Test
  void aRowBeyondTheMemoryOfAQueryIsRefused() throws Exception {
    byte[] wide = new byte[300_000];
    GatewayCluster.table(
        "wide",
        Map.of("v", ValueType.BYTES),
        List.of(new Put(Bytes.toBytes("w")).addColumn(GatewayCluster.D, Bytes.toBytes("v"), wide)));
    var limits = new GatewaySettings.Limits(4, 800_000, Duration.ofMinutes(1), 4, 100, 50_000);
    try (Gateway small = Gateway.start(settings(limits), GatewayCluster.conf());
        Client of = Client.of(small)) {
      assertThatThrownBy(() -> of.rows("{'version':1,'table':'wide'}"))
          .hasMessageContaining("table 'wide': a batch of rows takes more memory")
          .extracting(e -> ((FlightRuntimeException) e).status().code())
          .isEqualTo(FlightStatusCode.RESOURCE_EXHAUSTED);
      assertThat(of.rows("{'version':1,'table':'wide','columns':['rowkey']}")).containsExactly("w");
    }
  }

  private static void refused(FlightStatusCode code, String message, String query) {
    assertThatThrownBy(() -> client.rows(query))
        .hasMessageContaining(message)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
        .extracting(e -> ((FlightRuntimeException) e).status().code())
        .isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "no json | the query is no JSON",
        "[] | the query is no JSON object",
        "{} | the query has no version",
        "{'version':2,'table':'fish'} | queries of version 2 are not known",
        "{'version':'1','table':'fish'} | version of a query is not a whole number",
        "{'version':1} | the query has no table",
        "{'version':1,'table':'a b'} | 'a b' is no name of a table",
        "{'version':1,'table':7} | table of a query is not a text",
        "{'version':1,'table':'fish','where':'weight >'} | it cannot be read from line 1",
        "{'version':1,'table':'fish','wher':'x'} | unknown keys [wher] of a query",
        "{'version':1,'version':1,'table':'fish'} | Duplicate field 'version'",
        "{'version':1,'table':'fish'} x | the query is no JSON",
        "{'version':1,'table':'fish','columns':[]} | columns of a query is not",
        "{'version':1,'table':'fish','columns':[7]} | columns of a query is not",
        "{'version':1,'table':'fish','columns':['name','name']} | column 'name' is named twice",
        "{'version':1,'table':'fish','columns':['pric']} | unknown column 'pric'",
        "{'version':1,'table':'fish','columns':['CAST(note AS TXT)']} | unknown value type 'TXT'",
        "{'version':1,'table':'fish','where':'pric > 1'} | unknown column 'pric'",
        "{'version':1,'table':'fish','where':'weight > ?'} | parameter",
        "{'version':1,'table':'fish','where':'weight > ?','params':[1,2]} | parameter",
        "{'version':1,'table':'fish','where':'weight > ?','params':[null]} | a parameter of a query",
        "{'version':1,'table':'fish','where':'weight > ?','params':[{'byte':''}]} | a parameter of",
        "{'version':1,'table':'fish','where':'weight > ?','params':[{'bytes':'?'}]} | no base64",
        "{'version':1,'table':'fish','where':'weight > ?','params':7} | params of a query is not",
        "{'version':1,'table':'fish','limit':0} | limit of a query is not a whole number",
        "{'version':1,'table':'fish','limit':3000000000} | from 1 to 2147483647",
        "{'version':1,'table':'fish','limit':1.5} | limit of a query is not a whole number",
        "{'version':1,'table':'fish','timeoutMs':-1} | timeoutMs of a query is not",
        "{'version':1,'table':'fish','descending':true} | descending is for orderBy",
        "{'version':1,'table':'fish','descending':1,'orderBy':'name'} | not true or false",
        "{'version':1,'table':'_spyhop.fish.i'} | the table of a global index"
      })
  void badQueriesAreRefusedWithTheirPlace(String query, String message) {
    refused(FlightStatusCode.INVALID_ARGUMENT, message, query);
  }

  @Test
  void otherFailuresHaveTheirStatus() {
    refused(FlightStatusCode.NOT_FOUND, "table 'absent'", "{'version':1,'table':'absent'}");
    refused(
        FlightStatusCode.TIMED_OUT,
        "table 'fish': it was not answered within 1 ms",
        "{'version':1,'table':'fish','timeoutMs':1,'where':'weight > 1'}");
    assertThatThrownBy(() -> act("drop", "{'version':1,'table':'fish'}"))
        .hasMessageContaining("action 'drop': there are explain and count");
    assertThatThrownBy(() -> act("count", "{'version':1,'table':'fish','columns':['name']}"))
        .hasMessageContaining("a count has no columns");
    assertThatThrownBy(() -> act("count", "{'version':1,'table':'fish','limit':7}"))
        .hasMessageContaining("table 'fish': ");
  }

  private static String act(String type, String query) {
    Iterator<Result> told =
        client.flight().doAction(new Action(type, Client.json(query)), client.options());
    return new String(told.next().getBody(), StandardCharsets.UTF_8);
  }

  @Test
  void plansAndCounts() throws Exception {
    String query = "{'version':1,'table':'fish','where':'weight > 100'}";
    assertThat(act("explain", query)).contains("fish").contains("weight");
    assertThat(act("count", query)).isEqualTo(String.valueOf(scanned("weight > 100").size()));
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
