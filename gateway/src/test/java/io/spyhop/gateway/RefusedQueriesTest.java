package io.spyhop.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.value.ValueType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries that a gateway refuses or ends: each with its status and one line that says where. */
class RefusedQueriesTest {
  private static Gateway gateway;
  private static Client client;

  @BeforeAll
  static void start() throws Exception {
    GatewayCluster.start();
    gateway =
        Gateway.start(
            GatewayCluster.settings(GatewaySettings.Limits.DEFAULT), GatewayCluster.conf());
    client = Client.of(gateway);
    Put put =
        new Put(Bytes.toBytes("c"))
            .addColumn(GatewayCluster.D, Bytes.toBytes("weight"), Bytes.toBytes(2.0));
    GatewayCluster.table(
        "cod", Map.of("weight", ValueType.DOUBLE, "name", ValueType.STRING), List.of(put));
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    gateway.close();
  }

  private static void refused(FlightStatusCode code, String message, String query) {
    assertThatThrownBy(() -> client.rows(query))
        .hasMessageContaining(message)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
        .extracting(e -> ((FlightRuntimeException) e).status().code())
        .isEqualTo(code);
  }

  @Test
  void aQueryMayNotTakeLongerThanTheGatewayAllows() throws Exception {
    var limits = new GatewaySettings.Limits(4, 64 << 20, Duration.ofMillis(1), 4, 100, 4 << 20);
    try (Gateway hasty = Gateway.start(GatewayCluster.settings(limits), GatewayCluster.conf());
        Client of = Client.of(hasty)) {
      for (String timeout : List.of("", ",'timeoutMs':600000")) {
        assertThatThrownBy(
                () -> of.rows("{'version':1,'table':'cod','where':'weight > 1'" + timeout + "}"))
            .hasMessageContaining("table 'cod': it was not answered within 1 ms");
      }
    }
  }

  @Test
  void aQueryOfTooManyBytesIsNotRead() {
    String where = "weight > 1".concat(" ".repeat(5 << 20));
    assertThatThrownBy(() -> client.rows("{'version':1,'table':'cod','where':'" + where + "'}"))
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
    try (Gateway small = Gateway.start(GatewayCluster.settings(limits), GatewayCluster.conf());
        Client of = Client.of(small)) {
      assertThatThrownBy(() -> of.rows("{'version':1,'table':'wide'}"))
          .hasMessageContaining("table 'wide': a batch of rows, or one row, takes more memory")
          .extracting(e -> ((FlightRuntimeException) e).status().code())
          .isEqualTo(FlightStatusCode.RESOURCE_EXHAUSTED);
      assertThat(of.rows("{'version':1,'table':'wide','columns':['rowkey']}")).containsExactly("w");
    }
  }

  /** gRPC breaks a call off whose error is too long, and a line has no other behind it. */
  @Test
  void longNamesAndLinesAreOneShortLine() {
    String name = "x".repeat(100_000);
    refused(
        FlightStatusCode.INVALID_ARGUMENT,
        "...",
        "{'version':1,'table':'cod','columns':['" + name + "']}");
    refused(
        FlightStatusCode.INVALID_ARGUMENT,
        "a number",
        "{'version':1,'table':'cod','where':'weight > ?','params':['5\\n6']}");
    assertThatThrownBy(() -> client.rows("{'version':1,'table':'cod','columns':['nope']}"))
        .hasMessageNotContainingAny("table 'cod': table 'cod'");
  }

  @Test
  void aConditionIsReadWithinTheQuerysTime() {
    String where = "weight = 1".concat(" OR weight = 1".repeat(30_000));
    refused(
        FlightStatusCode.TIMED_OUT,
        "it was not answered within 1 ms, but read",
        "{'version':1,'table':'cod','timeoutMs':1,'where':'" + where + "'}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "no json | the query is no JSON",
        "[] | the query is no JSON object",
        "{} | the query has no version",
        "{'version':2,'table':'cod'} | queries of version 2 are not known",
        "{'version':'1','table':'cod'} | version of a query is not a whole number",
        "{'version':1} | the query has no table",
        "{'version':1,'table':'a b'} | 'a b' is no name of a table",
        "{'version':1,'table':7} | table of a query is not a text",
        "{'version':1,'table':'cod','where':'weight >'} | it cannot be read from line 1",
        "{'version':1,'table':'cod','wher':'x'} | unknown keys [wher] of a query",
        "{'version':1,'version':1,'table':'cod'} | Duplicate field 'version'",
        "{'version':1,'table':'cod'} x | the query is no JSON",
        "{'version':1,'table':'cod','columns':[]} | columns of a query is not",
        "{'version':1,'table':'cod','columns':[7]} | columns of a query is not",
        "{'version':1,'table':'cod','columns':['name','name']} | column 'name' is named twice",
        "{'version':1,'table':'cod','columns':['pric']} | unknown column 'pric'",
        "{'version':1,'table':'cod','columns':['CAST(note AS TXT)']} | unknown value type 'TXT'",
        "{'version':1,'table':'cod','where':'pric > 1'} | unknown column 'pric'",
        "{'version':1,'table':'cod','where':'weight > ?'} | parameter",
        "{'version':1,'table':'cod','where':'weight > ?','params':[1,2]} | parameter",
        "{'version':1,'table':'cod','where':'weight > ?','params':[null]} | a parameter of a query",
        "{'version':1,'table':'cod','where':'weight > ?','params':[{'byte':''}]} | a parameter of",
        "{'version':1,'table':'cod','where':'weight > ?','params':[{'bytes':'?'}]} | no base64",
        "{'version':1,'table':'cod','where':'weight > ?','params':7} | params of a query is not",
        "{'version':1,'table':'cod','limit':0} | limit of a query is not a whole number",
        "{'version':1,'table':'cod','limit':3000000000} | from 1 to 2147483647",
        "{'version':1,'table':'cod','limit':1.5} | limit of a query is not a whole number",
        "{'version':1,'table':'cod','timeoutMs':-1} | timeoutMs of a query is not",
        "{'version':1,'table':'cod','descending':true} | descending is for orderBy",
        "{'version':1,'table':'cod','descending':1,'orderBy':'name'} | not true or false",
        "{'version':1,'table':'_spyhop.cod.i'} | the table of a global index"
      })
  void badQueriesAreRefusedWithTheirPlace(String query, String message) {
    refused(FlightStatusCode.INVALID_ARGUMENT, message, query);
  }

  @Test
  void otherFailuresHaveTheirStatus() {
    refused(FlightStatusCode.NOT_FOUND, "table 'absent'", "{'version':1,'table':'absent'}");
    refused(
        FlightStatusCode.TIMED_OUT,
        "table 'cod': it was not answered within 1 ms",
        "{'version':1,'table':'cod','timeoutMs':1,'where':'weight > 1'}");
    assertThatThrownBy(() -> client.act("drop", "{'version':1,'table':'cod'}"))
        .hasMessageContaining("action 'drop': there are explain and count");
    assertThatThrownBy(() -> client.act("count", "{'version':1,'table':'cod','columns':['name']}"))
        .hasMessageContaining("a count has no columns");
    assertThatThrownBy(() -> client.act("count", "{'version':1,'table':'cod','limit':7}"))
        .hasMessageContaining("table 'cod': ");
  }
}
