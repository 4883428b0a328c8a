package io.spyhop.server.cases;

import io.spyhop.client.Spyhop;
import io.spyhop.client.ViewStatus;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;

/**
 * A table with family {@code d}, and the commands that make and change it. {@link CaseWrites} has
 * those that write, {@link CaseReads} those that read.
 *
 * <pre>
 *   table [OPTION ...] [SPLIT ...]   makes it, split at these rows; options: versions=N,
 *                                    keep-deleted, buckets=BITS
 *   index NAME KIND QUALIFIER TYPE   adds an index and waits for it
 *   drop NAME                        drops an index
 *   view on|off                      gives the family a sorted view, or takes it away
 *   views                            prints how many HFiles a region's view is of
 *   split ROW                        splits the region of a row before it
 *   move                             moves the only region to another server
 *   flush                            and wait for the index files
 *   compact                          all of the table's files, and wait for the index files
 * </pre>
 *
 * Not thread-safe.
 */
final class CaseTable implements AutoCloseable {
  static final byte[] D = Bytes.toBytes("d");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final TestCluster cluster = TestCluster.get();
  private final TableName name;
  private Spyhop spyhop;
  private boolean viewed;

  CaseTable(String name) throws IOException {
    this.name = TableName.valueOf("case-" + name);
    this.spyhop = Spyhop.connect(cluster.connection());
  }

  List<String> run(String line) throws Exception {
    String[] words = line.split(" +");
    String[] rest = Arrays.copyOfRange(words, 1, words.length);
    switch (words[0]) {
      case "table" -> create(rest);
      case "index" -> index(rest);
      case "drop" -> spyhop.admin().dropIndex(name, rest[0]);
      case "view" -> view(rest[0].equals("on"));
      case "split" -> split(rest[0]);
      case "views" -> {
        return views();
      }
      case "move" -> Regions.move(cluster, name);
      case "flush" -> flush();
      case "compact" -> compact();
      default -> {
        return CaseWrites.COMMANDS.contains(words[0])
            ? new CaseWrites(cluster, spyhop, name).run(words[0], rest)
            : new CaseReads(spyhop, name).run(words[0], rest);
      }
    }
    return List.of();
  }

  private void create(String... words) throws IOException {
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(D);
    List<byte[]> splits = new ArrayList<>();
    int bits = 0;
    for (String word : words) {
      String value = word.substring(word.indexOf('=') + 1);
      if (word.startsWith("versions=")) {
        family.setMaxVersions(Integer.parseInt(value));
      } else if (word.equals("keep-deleted")) {
        family.setKeepDeletedCells(KeepDeletedCells.TRUE);
      } else if (word.startsWith("buckets=")) {
        bits = Integer.parseInt(value);
      } else {
        splits.add(Bytes.toBytes(word));
      }
    }
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name).setColumnFamily(family.build());
    if (bits > 0) {
      spyhop.buckets().create(table.build(), BucketOptions.usual(2).withBits(bits));
    } else {
      cluster.admin().createTable(table.build(), splits.toArray(byte[][]::new));
    }
  }

  private void index(String... words) throws Exception {
    IndexDefinition.Builder index =
        IndexDefinition.builder(words[0])
            .kind(IndexKind.valueOf(words[1]))
            .column("d:" + words[2])
            .type(ValueType.parse(words[3]));
    if (words.length > 4) {
      index.layout(Layout.valueOf(words[4]));
    }
    spyhop.admin().createIndex(name, index.build());
    spyhop.admin().waitUntilActive(name, words[0], PATIENCE);
  }

  private void view(boolean on) throws IOException {
    spyhop.admin().setSortedView(name, "d", on);
    viewed = on;
    settle();
  }

  private List<String> views() throws IOException {
    return spyhop.admin().viewStatus(name).stream()
        .map(v -> v.inView() + " of " + v.hfiles() + " HFiles")
        .toList();
  }

  private void split(String row) throws IOException {
    int before = cluster.regions(name).size();
    cluster.admin().split(name, Bytes.toBytes(row));
    Awaitility.await("the daughters of " + name)
        .atMost(PATIENCE)
        .until(() -> cluster.regions(name).size() == before + 1);
    settle();
  }

  private void flush() throws IOException {
    Regions.flush(cluster, name);
    settle();
  }

  private void compact() throws IOException {
    Regions.compact(cluster, name, true);
    settle();
  }

  /** A client does not wait for statistics that leave nothing out: a new one has no old ones. */
  private void settle() throws IOException {
    Regions.awaitCovered(cluster, name);
    if (viewed) {
      Awaitility.await("the views of " + name)
          .atMost(PATIENCE)
          .until(() -> spyhop.admin().viewStatus(name).stream().noneMatch(ViewStatus::isPending));
    }
    spyhop.close();
    spyhop = Spyhop.connect(cluster.connection());
  }

  @Override
  public void close() throws IOException {
    cluster.admin().disableTable(name);
    cluster.admin().deleteTable(name);
    spyhop.close();
  }
}
