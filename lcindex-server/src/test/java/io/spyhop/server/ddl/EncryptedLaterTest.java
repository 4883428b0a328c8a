package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.global.FamilyEncryption;
import io.spyhop.core.global.IndexTable;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.Key;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.crypto.Encryption;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.security.EncryptionUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The table of a global index is encrypted as its family is, whenever that changes. */
class EncryptedLaterTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final List<byte[]> FAMILIES = List.of(IndexTable.ENTRIES, IndexTable.CONTROL);

  private static void alter(GlobalFixture t, UnaryOperator<ColumnFamilyDescriptorBuilder> change)
      throws IOException {
    ColumnFamilyDescriptor now =
        CLUSTER.admin().getDescriptor(t.name()).getColumnFamily(GlobalFixture.F);
    CLUSTER
        .admin()
        .modifyColumnFamily(
            t.name(), change.apply(ColumnFamilyDescriptorBuilder.newBuilder(now)).build());
  }

  private static TableDescriptor index(GlobalFixture t) throws IOException {
    return CLUSTER.admin().getDescriptor(t.indexName());
  }

  private static void awaitFollowed(GlobalFixture t) {
    await("the index table of " + t.name() + " to be encrypted like it")
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              ColumnFamilyDescriptor base =
                  CLUSTER.admin().getDescriptor(t.name()).getColumnFamily(GlobalFixture.F);
              TableDescriptor index = index(t);
              return FAMILIES.stream()
                  .allMatch(f -> FamilyEncryption.isSame(base, index.getColumnFamily(f)));
            });
  }

  private static byte[] wrapped(int seed) throws IOException {
    Configuration conf = CLUSTER.util().getConfiguration();
    byte[] bytes = new byte[16];
    bytes[0] = (byte) seed;
    Key key = new SecretKeySpec(bytes, "AES");
    return EncryptionUtil.wrapKey(conf, conf.get("hbase.crypto.master.key.name"), key);
  }

  /** Whether a file of the index table has the row of an entry in plain bytes. */
  private static boolean shows(GlobalFixture t, byte[] needle) throws IOException {
    for (HRegion region : CLUSTER.regions(t.indexName())) {
      for (HStoreFile file : region.getStore(IndexTable.ENTRIES).getStorefiles()) {
        Path path = file.getPath();
        try (FSDataInputStream in = region.getFilesystem().open(path)) {
          if (Bytes.contains(in.readAllBytes(), needle)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  @Test
  void aFamilyThatIsEncryptedLater() throws IOException {
    try (GlobalFixture t = new GlobalFixture()) {
      t.write(GlobalFixture.put("VisibleRow", 5));
      t.awaitBuilt();
      CLUSTER.admin().flush(t.indexName());
      byte[] needle = Bytes.toBytes("VisibleRow");
      assertThat(shows(t, needle)).isTrue();
      // More versions are shown than before, too: the index is un-built before the change.
      alter(t, f -> f.setEncryptionType("AES").setMaxVersions(3));
      awaitFollowed(t);
      await("old files to be written again")
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptionsInstanceOf(FileNotFoundException.class)
          .until(() -> !CLUSTER.regions(t.indexName()).isEmpty() && !shows(t, needle));
      t.awaitBuilt();
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
      assertThat(IndexTable.hidesBoundaries(index(t))).isTrue();
      assertThat(index(t).isSplitEnabled()).isFalse();
    }
  }

  /** Nobody need have asked for it: what is owed is what the files say. */
  @Test
  void filesAreOfTheFamilysKeyInTheEnd() throws IOException {
    byte[] first = wrapped(1);
    byte[] second = wrapped(2);
    try (GlobalFixture t =
        new GlobalFixture(
            CLUSTER, f -> f.setEncryptionType("AES").setEncryptionKey(first), d -> d)) {
      t.write(GlobalFixture.put("r", 5));
      t.awaitBuilt();
      CLUSTER.admin().flush(t.indexName());
      TableDescriptor now = index(t);
      List<String> before = keys(t);
      CLUSTER.admin().disableTable(t.indexName());
      alter(t, f -> f.setEncryptionKey(second));
      awaitFollowed(t);
      assertThat(index(t)).isNotEqualTo(now);
      CLUSTER.admin().enableTable(t.indexName());
      await("files of another key")
          .atMost(Duration.ofSeconds(60))
          .until(() -> !keys(t).isEmpty() && keys(t).stream().noneMatch(before::contains));
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    }
  }

  /** The hashes of the keys of an index table's files. */
  private static List<String> keys(GlobalFixture t) {
    return CLUSTER.regions(t.indexName()).stream()
        .flatMap(r -> r.getStore(IndexTable.ENTRIES).getStorefiles().stream())
        .map(f -> f.getReader().getHFileReader().getFileContext().getEncryptionContext())
        .map(Encryption.Context::getKeyBytesHash)
        .toList();
  }

  @Test
  void aKeyThatIsChanged() throws IOException {
    byte[] first = wrapped(1);
    byte[] second = wrapped(2);
    try (GlobalFixture t =
        new GlobalFixture(
            CLUSTER, f -> f.setEncryptionType("AES").setEncryptionKey(first), d -> d)) {
      t.write(GlobalFixture.put("r", 5));
      t.awaitBuilt();
      alter(t, f -> f.setEncryptionKey(second).setTimeToLive(1_000_000));
      awaitFollowed(t);
      assertThat(index(t).getColumnFamily(IndexTable.ENTRIES).getEncryptionKey()).isEqualTo(second);
      t.awaitBuilt();
      t.write(GlobalFixture.put("s", 6));
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(2);
    }
  }

  @Test
  void aFamilyThatIsEncryptedNoMore() throws IOException {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f.setEncryptionType("AES"), d -> d)) {
      t.write(GlobalFixture.put("r", 5));
      t.awaitBuilt();
      alter(t, f -> f.setEncryptionType(null));
      awaitFollowed(t);
      t.awaitBuilt();
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    }
  }

  @Test
  void nobodyTakesItAway() throws IOException {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f.setEncryptionType("AES"), d -> d)) {
      for (byte[] name : FAMILIES) {
        ColumnFamilyDescriptor plain =
            ColumnFamilyDescriptorBuilder.newBuilder(index(t).getColumnFamily(name))
                .setEncryptionType(null)
                .build();
        TableDescriptor changed =
            TableDescriptorBuilder.newBuilder(index(t)).modifyColumnFamily(plain).build();
        assertThatThrownBy(() -> CLUSTER.admin().modifyTable(changed))
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining("ENCRYPTION of family");
      }
    }
  }
}
