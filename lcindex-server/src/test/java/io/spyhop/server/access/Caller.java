package io.spyhop.server.access;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hbase.thirdparty.com.google.common.base.Throwables;

/** A user with a connection, and what that user may see. Not thread-safe. */
final class Caller implements AutoCloseable {
  /** No text that is hidden has fewer characters. */
  private static final int SHORTEST = 4;

  private final MatrixCluster site;
  private final Viewer viewer;
  private final Connection connection;
  private final Connection impatient;
  private final Spyhop spyhop;
  private final Table table;

  /** What the user may not see, by how it begins: no answer may hold any of it. */
  private Map<String, Set<String>> hidden = Map.of();

  Caller(MatrixCluster site, Viewer viewer, User user) throws IOException {
    this.site = site;
    this.viewer = viewer;
    Configuration conf = new Configuration(site.cluster().util().getConfiguration());
    this.connection = ConnectionFactory.createConnection(conf, user);
    Configuration once = new Configuration(conf);
    once.setInt("hbase.client.retries.number", 0);
    this.impatient = ConnectionFactory.createConnection(once, user);
    this.spyhop = Spyhop.connect(connection);
    this.table = connection.getTable(data().name());
  }

  /** Looks, by HBase's own scans, at what the user sees and what there is. */
  void look() throws IOException {
    Set<String> all = new TreeSet<>();
    try (Table own = site.cluster().connection().getTable(data().name())) {
      for (byte[] family : List.of(SecretTable.F, SecretTable.G)) {
        all.addAll(SecretTable.strings(own, family));
      }
    }
    assertThat(all).hasSizeGreaterThan(SecretTable.ROWS);
    all.removeAll(visible());
    hidden = all.stream().collect(groupingBy(s -> s.substring(0, SHORTEST), toSet()));
  }

  /** All that HBase's own scans show the user. */
  Set<String> visible() throws IOException {
    Set<String> visible = new TreeSet<>();
    for (byte[] family : List.of(SecretTable.F, SecretTable.G)) {
      try {
        visible.addAll(SecretTable.strings(table, family));
      } catch (UncheckedIOException e) {
        assertThat(e).as("%s sees nothing", viewer).hasCauseInstanceOf(AccessDeniedException.class);
      }
    }
    return visible;
  }

  /** Whether there is anything that the user may not see. */
  boolean isKeptFromSomething() {
    return !hidden.isEmpty();
  }

  /** Fails if a text holds what the user may not see. */
  String checked(String text) {
    for (int i = 0; i + SHORTEST <= text.length(); i++) {
      for (String needle : hidden.getOrDefault(text.substring(i, i + SHORTEST), Set.of())) {
        if (text.startsWith(needle, i)) {
          throw new AssertionError(viewer + " is shown '" + needle + "' in: " + text);
        }
      }
    }
    return text;
  }

  /** The same of bytes. */
  byte[] checked(byte[] bytes) {
    checked(new String(bytes, StandardCharsets.ISO_8859_1));
    return bytes;
  }

  /** Something that the user asks for. */
  @FunctionalInterface
  interface Asking<T> {
    T run() throws Exception;
  }

  /**
   * Asks.
   *
   * @return the answer, or the refusal
   * @throws AssertionError if it fails in another way
   */
  <T> Answer<T> ask(Asking<T> asking) throws Exception {
    try {
      return new Answer<>(Optional.of(asking.run()), "");
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      checked(Throwables.getStackTraceAsString(e));
      Throwable refusal =
          refusal(e).orElseThrow(() -> new AssertionError(viewer + " is not refused clearly", e));
      String said = String.valueOf(refusal.getMessage()).lines().findFirst().orElse("");
      return new Answer<>(Optional.empty(), refusal.getClass().getSimpleName() + ": " + said);
    }
  }

  private static Optional<Throwable> refusal(Throwable failure) {
    return Throwables.getCausalChain(failure).stream()
        .map(e -> e instanceof RemoteException r ? r.unwrapRemoteException() : e)
        .filter(e -> e instanceof DoNotRetryIOException || e instanceof IllegalArgumentException)
        .findFirst();
  }

  /** An answer, or the first line of a refusal. */
  record Answer<T>(Optional<T> value, String refusal) {
    boolean isRefused() {
      return value.isEmpty();
    }

    Observation refused() {
      return Observation.of(Outcome.REFUSED, List.of(refusal));
    }
  }

  /** The cells of a query of the library. */
  List<String> cells(Query query) throws IOException {
    List<String> cells = new ArrayList<>();
    try (RowCursor rows = spyhop.table(data().name()).query(query)) {
      rows.forEach(r -> show(r, cells));
    }
    checked(cells.toString());
    return cells;
  }

  /** The cells of a scan. */
  List<String> cells(Scan scan) throws IOException {
    List<String> cells = new ArrayList<>();
    try (ResultScanner rows = table.getScanner(scan)) {
      rows.forEach(r -> show(r, cells));
    }
    checked(cells.toString());
    return cells;
  }

  /** The same scan along a path. */
  static Scan along(Scan scan, String path) throws IOException {
    Scan hinted = new Scan(scan);
    hinted.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(path));
    return hinted;
  }

  private static void show(Result row, List<String> cells) {
    for (Cell c : row.rawCells()) {
      cells.add(
          Bytes.toString(CellUtil.cloneRow(c))
              + "/"
              + Bytes.toString(CellUtil.cloneQualifier(c))
              + "@"
              + c.getTimestamp()
              + "="
              + Bytes.toString(CellUtil.cloneValue(c)));
    }
  }

  /** An outcome that depends on whether something was looked up meanwhile. */
  Observation counted(Asking<List<String>> asking, Supplier<Boolean> found) throws Exception {
    List<Long> before = site.lookups();
    Answer<List<String>> answer = ask(asking);
    List<Long> counted = new ArrayList<>();
    List<Long> after = site.lookups();
    for (int i = 0; i < before.size(); i++) {
      counted.add(after.get(i) - before.get(i));
    }
    boolean moved = counted.stream().anyMatch(n -> n != 0);
    if (answer.isRefused()) {
      assertThat(moved).as("something was looked up for a refusal: %s", counted).isFalse();
      return answer.refused();
    }
    Outcome outcome = moved || found.get() ? Outcome.INDEX : Outcome.SCAN;
    return new Observation(outcome, answer.value().orElseThrow(), counted);
  }

  MatrixCluster site() {
    return site;
  }

  TestCluster cluster() {
    return site.cluster();
  }

  Viewer viewer() {
    return viewer;
  }

  SecretTable data() {
    return site.table(viewer.place());
  }

  Connection connection() {
    return connection;
  }

  /** One that asks once. */
  Connection impatient() {
    return impatient;
  }

  Spyhop spyhop() {
    return spyhop;
  }

  Table table() {
    return table;
  }

  @Override
  public void close() throws IOException {
    spyhop.close();
    table.close();
    impatient.close();
    connection.close();
  }
}
