package io.spyhop.cli.commands;

import io.spyhop.bench.Progress;
import io.spyhop.cli.csv.CsvHeader;
import io.spyhop.cli.csv.CsvNames;
import io.spyhop.cli.csv.CsvRows;
import io.spyhop.cli.csv.CsvSource;
import io.spyhop.cli.csv.Empties;
import io.spyhop.cli.csv.TableImport;
import io.spyhop.cli.output.Bars;
import io.spyhop.cli.output.Texts;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code spyhop import}. */
@Command(
    name = "import",
    description = {
      "Writes the rows of a CSV file into a table, which is made if it is not there.",
      "",
      "The first line is the header: any name for the row key, then family:qualifier for each"
          + " column, or any names with --family. Values are stored as the text that they are:"
          + " declare indexes of them with --type TEXT_LONG, TEXT_DOUBLE, DATE or STRING. Fields may"
          + " be quoted (\"...\", quotes within doubled); the file is UTF-8.",
      "",
      "Lines that make no row are reported and left out, the others are imported; then the exit"
          + " code is 1. A row that is there is written again: importing twice does no harm. Of"
          + " lines with the same key the last one's values stand.",
      ""
    },
    footerHeading = "%nFor example:%n",
    footer = {
      "  key,d:name,d:weight",
      "  fish1,\"cod, smoked\",1.5",
      "  fish2,herring,",
      "  spyhop import fish fish.csv",
      "",
      "  name,id,Date of birth,note",
      "  spyhop import people people.csv --key id --family d --columns 'name,Date of birth=born'"
    })
final class ImportCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ImportCommand.class);

  private static final int MAX_SHOWN = 20;
  private static final int MAX_BATCH = 100_000;
  private static final int LAST_ASCII = 127;

  @Mixin private ConnectionOptions connection;

  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      converter = TableNameConverter.class,
      description = "The table.")
  private TableName table;

  @Parameters(index = "1", paramLabel = "FILE", description = "The file; - is standard input.")
  private String file;

  @Option(
      names = "--delimiter",
      paramLabel = "CHAR",
      defaultValue = ",",
      description = "What is between fields: one ASCII character, or tab (default: a comma).")
  private String delimiter;

  @Option(
      names = "--batch",
      paramLabel = "ROWS",
      defaultValue = "1000",
      description = "Rows that are written at once (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--key",
      paramLabel = "NAME",
      description = "The name in the header whose fields are the row keys (default: the first).")
  private Optional<String> key;

  @Option(
      names = "--family",
      paramLabel = "FAMILY",
      description = "The family of all columns; names in the header are their qualifiers.")
  private Optional<String> family;

  @Option(
      names = "--columns",
      paramLabel = "NAME[=COLUMN]",
      split = ",",
      description =
          "Store these fields only, separated by commas, each by its name in the header or, after"
              + " =, by another (default: all but the key).")
  private List<String> columns = List.of();

  @Option(
      names = "--header",
      paramLabel = "NAME",
      split = ",",
      description = "The file has no header line; these are the names of its fields.")
  private List<String> header = List.of();

  @Option(
      names = "--empty",
      paramLabel = "WHAT",
      defaultValue = "SKIP",
      description =
          "What an empty field does: SKIP leaves what the row has in that column, DELETE deletes"
              + " it, EMPTY stores a value of no bytes (default: ${DEFAULT-VALUE}).")
  private Empties empties;

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      description =
          "A field with this text, for example NULL, is taken for an empty one, but is never"
              + " stored.")
  private Optional<String> absent;

  @Spec private CommandSpec spec;

  private long rejected;

  @Override
  public Integer call() throws IOException {
    check();
    PrintWriter out = spec.commandLine().getOut();
    try (CsvSource source = CsvSource.open(file, delimiterChar())) {
      CsvHeader fields = CsvHeader.read(source, new CsvNames(header, key, family, columns));
      CsvRows rows = new CsvRows(fields, empties, absent);
      try (Connection open = connection.connect();
          Spyhop spyhop = Spyhop.connect(open);
          Admin admin = open.getAdmin()) {
        boolean made = prepareTable(admin, fields.families(), out);
        TableImport.Report report = run(open, spyhop, source, rows);
        out.printf(
            "Imported %s rows into table '%s' in %s, %s lines rejected.%n",
            Texts.count(report.rows()),
            table,
            Texts.seconds(report.time()),
            Texts.count(report.rejected()));
        sayWhatIsShared(report, out);
        sayWhatWasSkipped(rows, made && report.repeated() == 0, out);
        return report.rejected() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
      }
    } finally {
      sayWhatIsNotShown();
    }
  }

  private TableImport.Report run(Connection open, Spyhop spyhop, CsvSource source, CsvRows rows)
      throws IOException {
    try (Table target = target(open, spyhop);
        Progress progress = new Bars().start("Importing (bytes)", size())) {
      return new TableImport(target, batch, progress, this::reject).run(source, rows);
    }
  }

  /** Who may write and nothing else is not told of buckets: a table's, if it has some. */
  private Table target(Connection open, Spyhop spyhop) throws IOException {
    try {
      return spyhop.open(table);
    } catch (AccessDeniedException e) {
      LOG.debug("Whether table {} has buckets is not told", table, e);
      return open.getTable(table);
    }
  }

  /** Of the file in bytes; -1 if nobody knows. */
  private long size() throws IOException {
    boolean known = !file.equals(CsvSource.STANDARD_INPUT) && Files.isRegularFile(Path.of(file));
    return known ? Files.size(Path.of(file)) : -1;
  }

  private void reject(String why) {
    rejected++;
    if (rejected <= MAX_SHOWN) {
      Failures.print(spec.commandLine(), why);
    }
  }

  private void sayWhatIsNotShown() {
    if (rejected > MAX_SHOWN) {
      Failures.print(
          spec.commandLine(), Texts.count(rejected - MAX_SHOWN) + " more lines were rejected");
    }
  }

  private static void sayWhatIsShared(TableImport.Report report, PrintWriter out) {
    if (report.repeated() > 0 || !report.exact()) {
      out.printf(
          "%s%s lines have the key of an earlier one: of their values the last ones stand.%n",
          report.exact() ? "" : "At least ", Texts.count(report.repeated()));
    }
  }

  private static void sayWhatWasSkipped(CsvRows rows, boolean nothingBefore, PrintWriter out) {
    if (rows.skipped() > 0 && !nothingBefore) {
      out.printf(
          "%s empty fields left what was in their columns as it is; --empty DELETE deletes it.%n",
          Texts.count(rows.skipped()));
    }
  }

  /** Whether the table was made. */
  private boolean prepareTable(Admin admin, Set<byte[]> families, PrintWriter out)
      throws IOException {
    if (!admin.tableExists(table)) {
      TableDescriptorBuilder made = TableDescriptorBuilder.newBuilder(table);
      families.forEach(f -> made.setColumnFamily(ColumnFamilyDescriptorBuilder.of(f)));
      admin.createTable(made.build());
      out.printf("Made table '%s' with the column families %s.%n", table, text(families));
      return true;
    }
    checkFamilies(admin, families);
    if (admin.isTableDisabled(table)) {
      throw new IOException("table '" + table + "' is disabled; enable it first");
    }
    return false;
  }

  /** HBase shows families to who may change the table; for others it refuses the writes itself. */
  private void checkFamilies(Admin admin, Set<byte[]> families) throws IOException {
    TableDescriptor there;
    try {
      there = admin.getDescriptor(table);
    } catch (AccessDeniedException e) {
      LOG.debug("The families of table {} are not shown", table, e);
      return;
    }
    for (byte[] family : families) {
      if (!there.hasColumnFamily(family)) {
        throw bad(
            "table '%s' has no column family '%s', which the header of %s names; it has %s",
            table, Bytes.toStringBinary(family), file, text(there.getColumnFamilyNames()));
      }
    }
  }

  private static String text(Set<byte[]> families) {
    return families.stream().map(Bytes::toStringBinary).collect(Collectors.joining(", "));
  }

  private void check() {
    PositiveNumber.require(spec, "--batch", batch);
    if (batch > MAX_BATCH) {
      throw bad("--batch %d is more than %d", batch, MAX_BATCH);
    }
    if (table.isSystemTable() || IndexTable.isReserved(table)) {
      throw bad("table '%s' is HBase's or Spyhop's own; import into another one", table);
    }
    delimiterChar();
  }

  private char delimiterChar() {
    if (delimiter.equals("\\t") || delimiter.equalsIgnoreCase("tab")) {
      return '\t';
    }
    if (delimiter.length() != 1
        || delimiter.charAt(0) > LAST_ASCII
        || "\"\r\n".contains(delimiter)) {
      throw bad("--delimiter '%s' is not one ASCII character other than a quote", delimiter);
    }
    return delimiter.charAt(0);
  }

  private ParameterException bad(String format, Object... parts) {
    return new ParameterException(spec.commandLine(), String.format(format, parts));
  }
}
