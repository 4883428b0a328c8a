package io.spyhop.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class BucketOptionsTest {
  private static final String USUAL =
      "v=1;hash=murmur3_32:1;width=2;bits=6;initial=4;max=10737418240";

  @Test
  void theTextIsReadAgain() {
    assertThat(BucketOptions.usual().text()).isEqualTo(USUAL);
    BucketOptions options = BucketOptions.usual(16).withBits(10).withMaxSize(1);
    assertThat(BucketOptions.parse(options.text())).isEqualTo(options);
  }

  @Test
  void aDescriptorHasThemOrNot() {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf("orders"));
    assertThat(BucketOptions.of(table.build())).isEmpty();
    table.setValue(BucketOptions.KEY, USUAL);
    assertThat(BucketOptions.of(table.build())).contains(BucketOptions.usual());
    TableDescriptor broken = table.setValue(BucketOptions.KEY, "v=1").build();
    assertThatThrownBy(() -> BucketOptions.of(broken))
        .isInstanceOf(InvalidBucketsException.class)
        .hasMessageContaining("table 'orders': bucket options 'v=1' lack");
  }

  @Test
  void whatIsUnknownIsRefused() {
    refused(USUAL.replace("v=1", "v=2"), "of version 2; this code reads 1");
    refused(USUAL.replace("murmur3_32:1", "md5:1"), "unknown hash function 'md5:1'");
    refused(USUAL.replace("murmur3_32:1", "murmur3_32:2"), "this version has [murmur3_32:1]");
    refused(USUAL.replace("width=2", "width=4"), "a prefix of 4 bytes");
    refused(USUAL + ";depth=3", "cannot read 'depth=3'");
    refused(USUAL + ";bits=3", "two of 'bits'");
    refused(USUAL.replace("max=10737418240", "max=much"), "max 'much'");
    refused(USUAL.replace("bits=6", "bits=6589934592"), "too large");
    refused("", "cannot read ''");
    refused("x".repeat(2_000), "2000 characters");
  }

  /** A table can grow sixteenfold, but is not made for more than 256 buckets unless it has them. */
  @Test
  void theUsualBitsAreThoseOfAFewSplits() {
    assertThat(IntStream.of(1, 4, 16, 64, 256, 512, 4096).map(n -> BucketOptions.usual(n).bits()))
        .containsExactly(4, 6, 8, 8, 8, 9, 12);
    for (int no : new int[] {0, -4, 3}) {
      assertThatThrownBy(() -> BucketOptions.usual(no))
          .isInstanceOf(InvalidBucketsException.class)
          .hasMessageContaining("is no power of two");
    }
    assertThatThrownBy(() -> BucketOptions.usual(8192)).hasMessageContaining("more than 12 bits");
  }

  @Test
  void badNumbersAreRefused() {
    refused(USUAL.replace("bits=6", "bits=0"), "bits 0 is not from 1 to 12");
    refused(USUAL.replace("bits=6", "bits=13"), "bits 13 is not from 1 to 12");
    for (String no : new String[] {"0", "-4", "3", "-2147483648"}) {
      refused(USUAL.replace("initial=4", "initial=" + no), "buckets " + no + " is no power of two");
    }
    refused(USUAL.replace("initial=4", "initial=512"), "more than 6 bits");
    refused(USUAL.replace("max=10737418240", "max=0"), "is not 1 byte or more");
  }

  private static void refused(String text, String why) {
    assertThatThrownBy(() -> BucketOptions.parse(text))
        .isInstanceOf(InvalidBucketsException.class)
        .hasMessageContaining(why);
  }
}
