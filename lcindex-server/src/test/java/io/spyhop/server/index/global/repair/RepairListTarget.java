package io.spyhop.server.index.global.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.damage.DamageTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.util.Bytes;

/** A repair list, to be damaged: what is before the damage is read, and nothing else. */
public final class RepairListTarget implements DamageTarget {
  private static final IndexDefinition INDEX =
      IndexDefinition.builder("a").column("f:a").type(ValueType.LONG).build();

  private final RepairDirectory directory;
  private final org.apache.hadoop.fs.Path path;
  private final Path file;
  private final byte[] whole;
  private final List<Entry> entries = new ArrayList<>();

  /** Writes the list. */
  public RepairListTarget(Path dir, Configuration conf) throws IOException {
    FileSystem fs = FileSystem.getLocal(conf).getRaw();
    Files.createDirectories(dir);
    directory = SealedDirectory.plain(fs, new org.apache.hadoop.fs.Path(dir.toUri()));
    RepairListWriter writer = new RepairListWriter(directory, "region", 40);
    for (int i = 0; i < 1000; i++) {
      Entry e = new Entry(Bytes.toBytes((long) i), Bytes.toBytes("row" + i), i);
      entries.add(e);
      writer.obsolete(INDEX, e);
    }
    path = writer.finish().orElseThrow();
    file = Path.of(path.toUri().getPath());
    whole = Files.readAllBytes(file);
  }

  @Override
  public String name() {
    return "repair list";
  }

  @Override
  public byte[] whole() {
    return whole.clone();
  }

  @Override
  public boolean isNoticed(byte[] damaged) throws IOException {
    Files.write(file, damaged);
    List<Entry> read = new ArrayList<>();
    try (RepairListReader reader = new RepairListReader(directory, path)) {
      for (EntryList l = reader.next(); l != null; l = reader.next()) {
        assertThat(l.index()).isEqualTo("a");
        read.addAll(l.entries());
      }
      assertThat(read).isEqualTo(entries.subList(0, read.size()));
      return reader.isTorn();
    } finally {
      Files.write(file, whole);
    }
  }
}
