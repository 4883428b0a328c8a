package io.spyhop.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.h2.Driver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * SQLite's sqllogictest, whose answers several databases agree on, over HBase tables. H2 runs the
 * statements that write; before a query its tables are copied. {@code scripts/sql-logic-test} has
 * the files.
 */
@Tag("soak")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlLogicTest {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final IndexKind[] KINDS = {IndexKind.LOCAL, IndexKind.STATS, IndexKind.GLOBAL};
  private static final Path JAR = Path.of(System.getProperty("spyhop.logic.jar", "none"));
  private static final int QUERIES = Integer.getInteger("spyhop.logic.queries", 1_000);

  /** Which has a column more, {@code rowkey}. */
  private static final Pattern OF_ALL =
      Pattern.compile("SELECT\\s+(ALL\\s+|DISTINCT\\s+)?\\*", Pattern.CASE_INSENSITIVE);

  static Stream<String> files() throws IOException {
    Pattern wanted = Pattern.compile(System.getProperty("spyhop.logic.files", "test/select1.test"));
    try (ZipFile jar = new ZipFile(JAR.toFile())) {
      return jar.stream()
          .map(ZipEntry::getName)
          .filter(name -> wanted.matcher(name).matches())
          .sorted()
          .toList()
          .stream();
    }
  }

  private static String read(String file) throws IOException {
    try (ZipFile jar = new ZipFile(JAR.toFile());
        InputStream text = jar.getInputStream(jar.getEntry(file))) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void answersOfAFile(String file) throws Exception {
    JdbcCluster.start();
    Outcome outcome = new Outcome();
    try (Connection h2 = Driver.load().connect("jdbc:h2:mem:", new Properties());
        Connection spyhop = JdbcCluster.connect()) {
      boolean changed = true;
      for (LogicRecord record : LogicRecord.all(read(file))) {
        if (!record.isQuery()) {
          write(h2, record.sql());
          changed = true;
        } else if (outcome.asked < QUERIES && !OF_ALL.matcher(record.sql()).find()) {
          if (changed) {
            copy(h2);
            changed = false;
          }
          outcome.ask(spyhop, record);
        }
      }
    }
    Path report = Path.of("target", "logic", file.replace('/', '-') + ".txt");
    Files.createDirectories(report.getParent());
    Files.writeString(report, outcome.toString());
    System.out.println(file + ": " + outcome.line());
    assertThat(outcome.wrong).isEmpty();
  }

  /** The outcome of a file's queries. */
  private static final class Outcome {
    private int asked;
    private int right;
    private final List<String> wrong = new ArrayList<>();
    private final Map<String, List<String>> refused = new TreeMap<>();

    void ask(Connection spyhop, LogicRecord record) {
      asked++;
      try (Statement statement = spyhop.createStatement();
          ResultSet rows = statement.executeQuery(record.sql())) {
        List<String> answer = record.answer(rows);
        if (answer.equals(record.answer())) {
          right++;
        } else {
          wrong.add(record.sql() + "\n  " + answer + "\n  expected " + record.answer());
        }
      } catch (SQLException e) {
        String reason = ("" + e.getMessage()).replaceAll("[\\d']+", "#").lines().findFirst().get();
        refused.computeIfAbsent(reason, r -> new ArrayList<>()).add(record.sql());
      }
    }

    String line() {
      int refusals = refused.values().stream().mapToInt(List::size).sum();
      return asked
          + " asked, "
          + right
          + " right, "
          + wrong.size()
          + " wrong, "
          + refusals
          + " refused";
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(line()).append('\n');
      wrong.forEach(w -> text.append("wrong: ").append(w).append('\n'));
      refused.forEach(
          (reason, of) ->
              text.append(of.size() + " refused: " + reason + "\n  " + of.get(0) + "\n"));
      return text.toString();
    }
  }

  private static void write(Connection h2, String sql) throws SQLException {
    try (Statement statement = h2.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void copy(Connection h2) throws Exception {
    List<String> names = new ArrayList<>();
    try (ResultSet tables =
        h2.getMetaData().getTables(null, "PUBLIC", "%", new String[] {"BASE TABLE"})) {
      while (tables.next()) {
        names.add(tables.getString("TABLE_NAME"));
      }
    }
    for (String name : names) {
      try (Statement all = h2.createStatement();
          ResultSet rows = all.executeQuery("SELECT * FROM " + name)) {
        copy(TableName.valueOf(name.toLowerCase(Locale.ROOT)), rows);
      }
    }
  }

  private static void copy(TableName name, ResultSet rows) throws Exception {
    HBaseTestingUtility util = JdbcCluster.start();
    ResultSetMetaData columns = rows.getMetaData();
    if (util.getAdmin().tableExists(name)) {
      util.getAdmin().disableTable(name);
      util.getAdmin().deleteTable(name);
    }
    util.createTable(name, FAMILY, new byte[][] {Bytes.toBytes("row00004")}).close();
    List<IndexDefinition> indexes = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      String column = columns.getColumnName(i).toLowerCase(Locale.ROOT);
      indexes.add(
          IndexDefinition.builder(column)
              .column("d:" + column)
              .type(type(columns.getColumnTypeName(i)))
              .kind(KINDS[i % KINDS.length])
              .build());
    }
    JdbcCluster.spyhop().admin().createIndexes(name, indexes);
    List<Put> puts = new ArrayList<>();
    while (rows.next()) {
      Put put = new Put(Bytes.toBytes(String.format("row%05d", puts.size())));
      put.addColumn(FAMILY, Bytes.toBytes("is there"), new byte[0]);
      for (IndexDefinition index : indexes) {
        Object value = rows.getObject(index.name());
        if (value != null) {
          put.addColumn(FAMILY, index.column().qualifier(), stored(index.type(), rows, index));
        }
      }
      puts.add(put);
    }
    try (Table table = util.getConnection().getTable(name)) {
      table.put(puts);
    }
    JdbcCluster.spyhop().admin().waitUntilActive(name, Duration.ofMinutes(1));
  }

  private static ValueType type(String sql) {
    return switch (sql) {
      case "INTEGER" -> ValueType.INT;
      case "DOUBLE PRECISION", "FLOAT" -> ValueType.DOUBLE;
      default -> ValueType.STRING;
    };
  }

  private static byte[] stored(ValueType type, ResultSet rows, IndexDefinition index)
      throws SQLException {
    if (type.equals(ValueType.INT)) {
      return Bytes.toBytes(rows.getInt(index.name()));
    }
    return type.equals(ValueType.DOUBLE)
        ? Bytes.toBytes(rows.getDouble(index.name()))
        : Bytes.toBytes(rows.getString(index.name()));
  }
}
