package io.spyhop.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The package of Python, and the scripts of docs/python.md, with real pyarrow and pandas: where
 * {@code python3}, or what {@code -Dspyhop.python} names, has them. {@code scripts/python-check}
 * gets them.
 */
class PythonTest {
  private static final Path PACKAGE = Path.of("..", "python").toAbsolutePath().normalize();
  private static final String TOKEN = "a-token-of-python";

  @TempDir private Path dir;

  @Test
  void thePackageAndItsPageDoWhatTheySay() throws Exception {
    assumeTrue(hasArrow(), "python3 has no pyarrow and pandas; scripts/python-check gets them");
    GatewayCluster.start();
    tables();
    Path file = dir.resolve("tokens");
    Files.writeString(file, "spyhop-tokens 1\n" + Secrets.line("python", TOKEN));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    TokenFile users = TokenFile.open("--token-file", file);
    GatewaySettings.Tls tls = Secrets.certificate(dir, "python");
    try (Gateway plain = gateway(users, Optional.empty());
        Gateway secure = gateway(users, Optional.of(tls))) {
      ProcessBuilder tests = python("-W", "error", "-m", "unittest", "-v", "test_gateway");
      tests.directory(PACKAGE.resolve("tests").toFile());
      tests.environment().put("SPYHOP_GATEWAY", "127.0.0.1:" + plain.port());
      tests.environment().put("SPYHOP_TLS_GATEWAY", "127.0.0.1:" + secure.port());
      tests.environment().put("SPYHOP_CA", tls.certificates().toString());
      tests.environment().put("SPYHOP_TOKEN", TOKEN);
      Process run = tests.start();
      String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(run.waitFor()).as(said).isZero();
    }
  }

  private static ProcessBuilder python(String... args) {
    List<String> all = new ArrayList<>();
    all.add(System.getProperty("spyhop.python", "python3"));
    all.addAll(List.of(args));
    ProcessBuilder process = new ProcessBuilder(all).redirectErrorStream(true);
    process.environment().put("PYTHONPATH", PACKAGE.toString());
    process.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    return process;
  }

  private static boolean hasArrow() throws InterruptedException {
    try {
      Process probe =
          python("-c", "import pyarrow.flight, pandas")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return probe.waitFor() == 0;
    } catch (IOException e) { // there is no Python
      return false;
    }
  }

  private static Gateway gateway(TokenFile users, Optional<GatewaySettings.Tls> tls)
      throws IOException {
    var limits = new GatewaySettings.Limits(8, 128 << 20, Duration.ofMinutes(1), 4, 300, 1 << 20);
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var settings = new GatewaySettings(address, Optional.of(users), tls, false, limits);
    return Gateway.start(settings, GatewayCluster.conf());
  }

  private static void tables() throws Exception {
    GatewayCluster.table(
        "py_types",
        Map.of(
            "born", ValueType.DATE,
            "data", ValueType.BYTES,
            "name", ValueType.STRING,
            "price", ValueType.DECIMAL,
            "seen", ValueType.TIMESTAMP,
            "size", ValueType.LONG,
            "weight", ValueType.DOUBLE),
        List.of(
            put("1")
                .addColumn(GatewayCluster.D, Bytes.toBytes("born"), Bytes.toBytes("2020-02-29"))
                .addColumn(GatewayCluster.D, Bytes.toBytes("data"), new byte[] {0, (byte) 0xFF})
                .addColumn(GatewayCluster.D, Bytes.toBytes("name"), Bytes.toBytes("K\u00e4se"))
                .addColumn(
                    GatewayCluster.D,
                    Bytes.toBytes("price"),
                    Bytes.toBytes(new BigDecimal("12.50")))
                .addColumn(GatewayCluster.D, Bytes.toBytes("seen"), Bytes.toBytes(1_500L))
                .addColumn(GatewayCluster.D, Bytes.toBytes("size"), Bytes.toBytes(1L << 40))
                .addColumn(GatewayCluster.D, Bytes.toBytes("weight"), Bytes.toBytes(0.25)),
            put("2").addColumn(GatewayCluster.D, Bytes.toBytes("name"), Bytes.toBytes("none"))));
    List<Put> rows = new ArrayList<>();
    List<Put> orders = new ArrayList<>();
    for (long i = 0; i < 1000; i++) {
      String key = String.format("%04d", i);
      rows.add(put(key).addColumn(GatewayCluster.D, Bytes.toBytes("id"), Bytes.toBytes(i)));
      orders.add(
          put("order" + key)
              .addColumn(GatewayCluster.D, Bytes.toBytes("custkey"), Bytes.toBytes(i % 50))
              .addColumn(GatewayCluster.D, Bytes.toBytes("totalprice"), Bytes.toBytes(100.0 * i))
              .addColumn(
                  GatewayCluster.D,
                  Bytes.toBytes("orderpriority"),
                  Bytes.toBytes(i % 2 == 0 ? "1-URGENT" : "3-MEDIUM"))
              .addColumn(
                  GatewayCluster.D,
                  Bytes.toBytes("orderdate"),
                  Bytes.toBytes("1995-0" + (1 + i % 9) + "-01")));
    }
    GatewayCluster.table("py_rows", Map.of("id", ValueType.LONG), rows);
    GatewayCluster.table(
        "orders",
        Map.of(
            "custkey", ValueType.LONG,
            "totalprice", ValueType.DOUBLE,
            "orderpriority", ValueType.STRING,
            "orderdate", ValueType.DATE),
        orders);
  }

  private static Put put(String key) {
    return new Put(Bytes.toBytes(key));
  }
}
