package io.spyhop.server.index.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.SourceSummary;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.damage.DamageTarget;
import io.spyhop.server.seal.Sealed;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** The statistics of an HFile, to be damaged. */
public final class SideFileTarget implements DamageTarget {
  private final Configuration conf;
  private final boolean sealed;
  private final byte[] plain;
  private final byte[] whole;

  /**
   * @param family an encrypted one, or null
   */
  public SideFileTarget(Configuration conf, ColumnFamilyDescriptor family) throws IOException {
    this.conf = conf;
    this.sealed = family != null;
    this.plain = new FileStatistics("hfile", 77, summary()).encode();
    whole = sealed ? Sealed.seal(plain, conf, family) : plain;
  }

  private static SourceSummary summary() {
    SortedMap<ColumnName, ColumnSummary> columns = new TreeMap<>();
    for (String qualifier : new String[] {"a", "b"}) {
      ColumnSummary.Builder b = ColumnSummary.builder(ValueType.STRING, BloomSize.SIZED_TO_DATA);
      for (int i = 0; i < 200; i++) {
        b.add(Bytes.toBytes(qualifier + i), 0, qualifier.length() + 1);
      }
      columns.put(ColumnName.of(Bytes.toBytes("f"), Bytes.toBytes(qualifier)), b.build());
    }
    return new SourceSummary(true, false, columns);
  }

  @Override
  public String name() {
    return sealed ? "sealed statistics" : "statistics";
  }

  @Override
  public byte[] whole() {
    return whole.clone();
  }

  @Override
  public boolean isNoticed(byte[] damaged) {
    FileStatistics read;
    try {
      read = FileStatistics.decode("hfile", Sealed.open(damaged, conf));
    } catch (IOException e) {
      return true;
    }
    assertThat(read.encode()).isEqualTo(plain);
    return false;
  }
}
