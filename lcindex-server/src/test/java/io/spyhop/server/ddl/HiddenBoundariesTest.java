package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.global.FamilyEncryption;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.GlobalIndexRequest;
import io.spyhop.core.schema.Boundaries;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Index tables of one region: which these are, what they take over, and what no user may change.
 */
class HiddenBoundariesTest {
  private static final byte[] KEY = {1, 2, 3};
  private static final String REGIONS = "hbase.coprocessor.region.classes";
  private static final ColumnFamilyDescriptor PLAIN = ColumnFamilyDescriptorBuilder.of("f");
  private static final ColumnFamilyDescriptor AES =
      ColumnFamilyDescriptorBuilder.newBuilder(PLAIN).setEncryptionType("AES").build();
  private static final ColumnFamilyDescriptor KEYED =
      ColumnFamilyDescriptorBuilder.newBuilder(AES).setEncryptionKey(KEY).build();
  private static final HiddenBoundaries UNLABELLED = new HiddenBoundaries(new Configuration(false));

  private static TableDescriptor base(ColumnFamilyDescriptor family) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
        .setColumnFamily(family)
        .build();
  }

  private static IndexDefinition index(Boundaries boundaries) {
    return IndexDefinition.builder("v")
        .kind(IndexKind.GLOBAL)
        .column("f:v")
        .type(ValueType.STRING)
        .boundaries(boundaries)
        .build();
  }

  private static final IndexDefinition VALUES = index(Boundaries.VALUES);

  private static HiddenBoundaries with(String key, String classes) {
    Configuration conf = new Configuration(false);
    conf.set(key, classes);
    return new HiddenBoundaries(conf);
  }

  private static List<ColumnFamilyDescriptor> families(TableDescriptor index) {
    return List.of(
        index.getColumnFamily(IndexTable.ENTRIES), index.getColumnFamily(IndexTable.CONTROL));
  }

  @Test
  void whoNeedsThem() {
    assertThat(UNLABELLED.areNeeded(base(PLAIN), VALUES)).isFalse();
    assertThat(UNLABELLED.areNeeded(base(PLAIN), index(Boundaries.NONE))).isTrue();
    assertThat(UNLABELLED.areNeeded(base(AES), VALUES)).isTrue();
    String labels = VisibilityController.class.getName();
    String access = AccessController.class.getName();
    assertThat(with(REGIONS, access).areNeeded(base(PLAIN), VALUES)).isFalse();
    assertThat(with(REGIONS, access + ", " + labels).areNeeded(base(PLAIN), VALUES)).isTrue();
    assertThat(with(REGIONS, "no.such.Class," + labels + "|7").areNeeded(base(PLAIN), VALUES))
        .isTrue();
    assertThat(with("hbase.coprocessor.master.classes", labels).areNeeded(base(PLAIN), VALUES))
        .isTrue();
  }

  @Test
  void labelsOfOneTable() throws IOException {
    TableDescriptor labelled =
        TableDescriptorBuilder.newBuilder(base(PLAIN))
            .setCoprocessor(VisibilityController.class.getName())
            .build();
    assertThat(UNLABELLED.areNeeded(labelled, VALUES)).isTrue();
    TableDescriptor granted =
        TableDescriptorBuilder.newBuilder(base(PLAIN))
            .setCoprocessor(AccessController.class.getName())
            .build();
    assertThat(UNLABELLED.areNeeded(granted, VALUES)).isFalse();
  }

  @Test
  void theirTablesAreNeverSplit() {
    TableDescriptor open = UNLABELLED.descriptor(base(PLAIN), VALUES);
    assertThat(IndexTable.hidesBoundaries(open)).isFalse();
    assertThat(open.isSplitEnabled()).isTrue();
    TableDescriptor hidden = UNLABELLED.descriptor(base(AES), VALUES);
    assertThat(IndexTable.hidesBoundaries(hidden)).isTrue();
    assertThat(IndexTable.isNeverSplit(hidden)).isTrue();
    assertThat(families(hidden)).allMatch(FamilyEncryption::isOn);
    assertThat(UNLABELLED.kept(hidden, base(AES), VALUES)).isSameAs(hidden);
  }

  @Test
  void noSplitPointReachesTheJournal() {
    DdlRecord asked =
        new DdlRecord(
            DdlRecord.Kind.CREATE,
            new GlobalIndexRequest(
                TableName.valueOf("t"), VALUES, List.of(Bytes.toBytes("needle"))));
    assertThat(UNLABELLED.settled(asked, base(PLAIN))).isSameAs(asked);
    DdlRecord settled = UNLABELLED.settled(asked, base(AES));
    assertThat(Bytes.contains(asked.encode(), Bytes.toBytes("needle"))).isTrue();
    assertThat(Bytes.contains(settled.encode(), Bytes.toBytes("needle"))).isFalse();
    assertThat(settled.name()).isEqualTo(asked.name());
  }

  @Test
  void encryptionIsTakenOverAndNotDroppedTooEarly() {
    TableDescriptor plain = IndexTable.descriptor(base(PLAIN), VALUES);
    TableDescriptor sealed = IndexTable.descriptor(base(KEYED), VALUES);
    assertThat(families(Alignment.after(plain, KEYED)))
        .allMatch(f -> FamilyEncryption.isSame(f, KEYED));
    assertThat(families(Alignment.before(plain, KEYED)))
        .allMatch(f -> FamilyEncryption.isSame(f, KEYED));
    assertThat(families(Alignment.after(sealed, PLAIN)))
        .allMatch(f -> FamilyEncryption.isSame(f, PLAIN));
    assertThat(families(Alignment.before(sealed, PLAIN)))
        .allMatch(f -> FamilyEncryption.isSame(f, KEYED));
    assertThat(families(Alignment.after(sealed, AES)))
        .as("without a key of its own")
        .allMatch(f -> FamilyEncryption.isSame(f, AES));
    assertThat(Alignment.isSame(sealed, Alignment.after(sealed, KEYED))).isTrue();
    assertThat(Alignment.isSame(sealed, Alignment.after(sealed, AES))).isFalse();
  }

  @Test
  void theAdministratorsSettingsStay() {
    TableDescriptor index = IndexTable.descriptor(base(PLAIN), VALUES);
    TableDescriptor tuned =
        TableDescriptorBuilder.newBuilder(index)
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(index.getColumnFamily(IndexTable.ENTRIES))
                    .setBlocksize(8_192)
                    .build())
            .build();
    assertThat(Alignment.after(tuned, AES).getColumnFamily(IndexTable.ENTRIES).getBlocksize())
        .isEqualTo(8_192);
  }

  private static TableDescriptor encrypted(TableDescriptor index, ColumnFamilyDescriptor like) {
    return Alignment.after(index, like);
  }

  @Test
  void encryptionStaysAsLongAsTheFamilysDoes() throws IOException {
    TableDescriptor plain = IndexTable.descriptor(base(PLAIN), VALUES);
    TableDescriptor sealed = encrypted(plain, AES);
    assertThatThrownBy(() -> IndexTableRules.check(sealed, plain, base(AES)))
        .hasMessageContaining("ENCRYPTION of family");
    assertThatThrownBy(() -> IndexTableRules.check(sealed, plain, null))
        .hasMessageContaining("ENCRYPTION of family");
    IndexTableRules.check(sealed, plain, base(PLAIN));
    IndexTableRules.check(plain, sealed, base(AES));
    IndexTableRules.check(plain, sealed, base(PLAIN));
    IndexTableRules.check(sealed, encrypted(plain, KEYED), base(AES));
  }

  @Test
  void hiddenBoundariesStayHidden() {
    TableDescriptor open = IndexTable.descriptor(base(PLAIN), VALUES);
    TableDescriptor hidden = IndexTable.hidingBoundaries(open);
    assertThatCode(() -> IndexTableRules.check(open, hidden, base(PLAIN)))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> IndexTableRules.check(hidden, open, base(PLAIN)))
        .hasMessageContaining(IndexTable.BOUNDARIES);
    TableDescriptor split = TableDescriptorBuilder.newBuilder(hidden).setSplitEnabled(true).build();
    assertThatThrownBy(() -> IndexTableRules.check(hidden, split, base(PLAIN)))
        .hasMessageContaining("SPLIT_ENABLED");
  }

  @Test
  void aTableThatShowsValuesIsNotOneThatDoesNot() {
    IndexDefinition none = index(Boundaries.NONE);
    TableDescriptor open = IndexTable.descriptor(base(PLAIN), VALUES);
    assertThat(IndexTable.isAlike(open, VALUES)).isTrue();
    assertThat(IndexTable.isAlike(open, none)).isFalse();
    assertThat(IndexTable.isAlike(IndexTable.hidingBoundaries(open), none)).isTrue();
  }
}
