package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.BucketAdmin;
import io.spyhop.core.bucket.BucketOptions;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class BucketRulesTest {
  private static final TableName ORDERS = TableName.valueOf("orders");
  private static final BucketOptions OPTIONS = BucketOptions.usual().withBits(2);
  private static final TableDescriptor PLAIN = TableDescriptorBuilder.newBuilder(ORDERS).build();

  private static TableDescriptor with(BucketOptions options) {
    return with(options.text());
  }

  private static TableDescriptor with(String text) {
    return TableDescriptorBuilder.newBuilder(ORDERS)
        .setValue(BucketOptions.KEY, text)
        .setRegionSplitPolicyClassName(BucketAdmin.SPLIT_POLICY)
        .build();
  }

  private static RegionInfo region(String start, String stop) {
    return RegionInfoBuilder.newBuilder(ORDERS)
        .setStartKey(Bytes.toBytesBinary(start))
        .setEndKey(Bytes.toBytesBinary(stop))
        .build();
  }

  @Test
  void anExistingTableGetsNoBucketsAndLosesNone() {
    assertThatThrownBy(() -> BucketRules.checkChange(PLAIN, with(OPTIONS)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("table 'orders': it exists");
    assertThatThrownBy(() -> BucketRules.checkChange(with(OPTIONS), PLAIN))
        .hasMessageContaining("cannot be without buckets");
    assertThatCode(() -> BucketRules.checkChange(PLAIN, PLAIN)).doesNotThrowAnyException();
    assertThatCode(() -> BucketRules.checkChange(with(OPTIONS), with(OPTIONS)))
        .doesNotThrowAnyException();
  }

  @Test
  void theLargestSizeAloneCanBeChanged() {
    assertThatCode(() -> BucketRules.checkChange(with(OPTIONS), with(OPTIONS.withMaxSize(1))))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> BucketRules.checkChange(with(OPTIONS), with(OPTIONS.withBits(3))))
        .hasMessageContaining("the largest size alone");
    assertThatThrownBy(() -> BucketRules.checkChange(with(OPTIONS), with("v=7")))
        .hasMessageContaining("version 7");
  }

  @Test
  void regionsOfANewTableAreBuckets() {
    RegionInfo[] halves = {region("", "\\x80\\x00"), region("\\x80\\x00", "")};
    RegionInfo[] others = {region("", "k"), region("k", "")};
    assertThatCode(() -> BucketRules.checkNew(with(OPTIONS), halves)).doesNotThrowAnyException();
    assertThatCode(() -> BucketRules.checkNew(PLAIN, others)).doesNotThrowAnyException();
    assertThatThrownBy(() -> BucketRules.checkNew(with(OPTIONS), others))
        .hasMessageContaining("region [, k) is no bucket");
    assertThatThrownBy(() -> BucketRules.checkNew(with("v=1;hash=md5:1"), halves))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("lack 'width'");
    TableDescriptor other =
        TableDescriptorBuilder.newBuilder(with(OPTIONS))
            .setRegionSplitPolicyClassName("SteppingSplitPolicy")
            .build();
    assertThatThrownBy(() -> BucketRules.checkNew(other, halves))
        .hasMessageContaining("has the split policy " + BucketAdmin.SPLIT_POLICY);
  }

  @Test
  void aBucketIsSplitInItsMiddle() {
    RegionInfo half = region("\\x80\\x00", "");
    assertThatCode(() -> BucketRules.checkSplit(with(OPTIONS), half, row("\\xC0\\x00")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> BucketRules.checkSplit(with(OPTIONS), half, row("\\xA0\\x00")))
        .hasMessageContaining("cannot be split at \\xA0\\x00, but at \\xC0\\x00 alone");
    assertThatThrownBy(
            () ->
                BucketRules.checkSplit(with(OPTIONS), region("", "\\x40\\x00"), row("\\x20\\x00")))
        .hasMessageContaining("as deep as the table's bits");
    assertThatCode(() -> BucketRules.checkSplit(PLAIN, half, row("z"))).doesNotThrowAnyException();
    assertThat(BucketSplitPolicy.splittable(half, OPTIONS)).isPresent();
  }

  @Test
  void whatIsMergedIsABucketTogether() {
    RegionInfo first = region("", "\\x40\\x00");
    RegionInfo second = region("\\x40\\x00", "\\x80\\x00");
    RegionInfo third = region("\\x80\\x00", "\\xC0\\x00");
    assertThatCode(() -> BucketRules.checkMerge(with(OPTIONS), new RegionInfo[] {second, first}))
        .doesNotThrowAnyException();
    RegionInfo[] strangers = {second, third};
    assertThatThrownBy(() -> BucketRules.checkMerge(with(OPTIONS), strangers))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("from [@\\x00 to \\xC0\\x00) cannot be merged");
    assertThatCode(() -> BucketRules.checkMerge(PLAIN, strangers)).doesNotThrowAnyException();
  }

  private static byte[] row(String text) {
    return Bytes.toBytesBinary(text);
  }
}
