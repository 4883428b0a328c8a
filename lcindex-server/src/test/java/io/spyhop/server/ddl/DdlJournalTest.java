package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.GlobalIndexRequest;
import io.spyhop.core.protocol.ServerHealth.Trouble;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.QuickFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of the journal that cannot be read. */
class DdlJournalTest {
  private static final TableName TABLE = TableName.valueOf("orders");
  private static final TableName PRICES = IndexTable.nameOf(TABLE, "price");

  @TempDir private Path directory;
  private DdlJournal journal;

  @BeforeEach
  void open() throws IOException {
    FileSystem fs = QuickFiles.open();
    journal = new DdlJournal(fs, new org.apache.hadoop.fs.Path(directory.toUri().toString()));
  }

  private static DdlRecord record(DdlRecord.Kind kind, String index) {
    IndexDefinition definition =
        IndexDefinition.builder(index)
            .kind(IndexKind.GLOBAL)
            .column("d:" + index)
            .type(ValueType.LONG)
            .build();
    return new DdlRecord(kind, new GlobalIndexRequest(TABLE, definition, List.of()));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve(".spyhop-ddl"))) {
      return files.filter(f -> !f.getFileName().toString().startsWith(".")).toList();
    }
  }

  private Path damage() throws IOException {
    Path file = files().get(0);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2]++;
    Files.write(file, bytes);
    return file;
  }

  @Test
  void isNamedWithItsTableAndWhatToDo() throws Exception {
    journal.begin(record(DdlRecord.Kind.CREATE, "price"));
    assertThat(journal.troubles(List.of(PRICES))).isEmpty();
    Path file = damage();
    assertThat(journal.open()).isEmpty();
    Trouble trouble = journal.troubles(List.of(PRICES)).get(0);
    assertThat(trouble.what())
        .contains(PRICES.getNameAsString(), file.toString(), "checksum does not match");
    assertThat(trouble.remedy()).contains("rebuild or drop it once more", "hdfs dfs -rm");
    assertThat(journal.troubles(List.of()).get(0).what())
        .contains("a global index that is not there", file.toString());
  }

  @Test
  void goesWithTheNextOperationOnItsIndex() throws Exception {
    journal.begin(record(DdlRecord.Kind.REBUILD, "price"));
    Path file = damage();
    journal.begin(record(DdlRecord.Kind.DROP, "day"));
    assertThat(files()).hasSize(2).contains(file);
    DdlRecord drop = record(DdlRecord.Kind.DROP, "price");
    journal.begin(drop);
    assertThat(files()).hasSize(2).doesNotContain(file);
    assertThat(journal.troubles(List.of(PRICES))).isEmpty();
    assertThat(journal.isOpen(drop)).isTrue();
  }
}
