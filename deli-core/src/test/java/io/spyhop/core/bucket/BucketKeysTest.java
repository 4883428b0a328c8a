package io.spyhop.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.hadoop.hbase.util.Bytes;

class BucketKeysTest {
  private static BucketKeys keys(int bits) {
    return BucketOptions.usual(1).withBits(bits).keys();
  }

  /** Reference values of murmur3, x86, 32 bits, seed 0: what is stored depends on them for ever. */
  @Example
  void theHashIsTheReferenceImplementations() {
    assertThat(BucketHash.MURMUR3_32.of(text("a"))).isEqualTo(0x3c2569b2);
    assertThat(BucketHash.MURMUR3_32.of(new byte[] {0x21, 0x43})).isEqualTo(0xa0f7b07a);
    assertThat(BucketHash.MURMUR3_32.of(text("abc"))).isEqualTo(0xb3dd93fa);
    assertThat(BucketHash.MURMUR3_32.of(text("Hello, world!"))).isEqualTo(0xc0363e43);
    assertThat(BucketHash.MURMUR3_32.of(new byte[] {-1, -1, -1, -1})).isEqualTo(0x76293b50);
  }

  /** 0x3c2569b2 ends with 1011_0010: its lowest bit comes first. */
  @Example
  void aRowBeginsWithTheLowestBits() {
    assertThat(keys(8).stored(text("a"))).isEqualTo(Bytes.toBytesBinary("\\x4D\\x00a"));
    assertThat(keys(3).stored(text("a"))).isEqualTo(Bytes.toBytesBinary("\\x40\\x00a"));
    assertThat(keys(12).stored(text("a"))).isEqualTo(Bytes.toBytesBinary("\\x4D\\x90a"));
  }

  @Property
  void whatIsStoredIsReadAgain(
      @ForAll @Size(min = 1, max = 40) byte[] key, @ForAll @IntRange(min = 1, max = 12) int bits) {
    BucketKeys keys = keys(bits);
    byte[] row = keys.stored(key);
    assertThat(keys.user(row)).isEqualTo(key);
    assertThat(Integer.reverse(BucketHash.MURMUR3_32.of(key)) >>> (Integer.SIZE - bits))
        .isEqualTo(BucketKeys.value(row) >>> (BucketKeys.PREFIX_BITS - bits));
  }

  @Property
  void aBucketHasTheKeysWhoseHashEndsWithItsBits(
      @ForAll @Size(min = 1, max = 20) byte[] key, @ForAll @IntRange(min = 0, max = 12) int depth) {
    byte[] row = keys(12).stored(key);
    int bits = BucketHash.MURMUR3_32.of(key) & ((1 << depth) - 1);
    Bucket bucket = new Bucket(bits, depth);
    assertThat(bucket.holds(row)).isTrue();
    assertThat(isIn(row, bucket.start(), bucket.stop())).isTrue();
    if (depth > 0) {
      Bucket sibling = new Bucket(bits ^ 1 << (depth - 1), depth);
      assertThat(isIn(row, sibling.start(), sibling.stop())).isFalse();
    }
  }

  /** A range of users' keys is exactly the ranges of all prefixes. */
  @Property
  void rangesOfAllPrefixesAreTheRange(
      @ForAll @Size(min = 1, max = 3) byte[] key,
      @ForAll @Size(max = 3) byte[] from,
      @ForAll @Size(max = 3) byte[] to,
      @ForAll @IntRange(min = 1, max = 6) int bits) {
    BucketKeys keys = keys(bits);
    byte[] row = keys.stored(key);
    int ranges = 0;
    for (int p = 0; p < keys.prefixes(); p++) {
      ranges += isIn(row, keys.start(p, from), keys.stop(p, to)) ? 1 : 0;
    }
    assertThat(ranges).isEqualTo(isIn(key, from, to) ? 1 : 0);
  }

  @Example
  void prefixesFollowEachOtherWithoutGaps() {
    BucketKeys keys = keys(4);
    List<byte[]> starts = new ArrayList<>();
    for (int p = 0; p < keys.prefixes(); p++) {
      starts.add(keys.start(p, new byte[0]));
    }
    assertThat(starts.get(0)).isEmpty();
    for (int p = 1; p < starts.size(); p++) {
      assertThat(keys.stop(p - 1, new byte[0])).isEqualTo(starts.get(p));
    }
    assertThat(keys.stop(15, new byte[0])).isEmpty();
  }

  @Example
  void keysThatDoNotFitAreRefused() {
    BucketKeys keys = keys(8);
    assertThat(keys.stored(new byte[32_765])).hasSize(32_767);
    assertThatThrownBy(() -> keys.stored(new byte[32_766]))
        .isInstanceOf(InvalidBucketsException.class)
        .hasMessageContaining("room for 32765");
    assertThatThrownBy(() -> keys.stored(new byte[0])).hasMessageContaining("cannot be empty");
    assertThatThrownBy(() -> keys.user(new byte[2])).hasMessageContaining("no key behind");
    assertThatThrownBy(() -> keys.start(0, new byte[32_766])).hasMessageContaining("32765");
  }

  private static boolean isIn(byte[] row, byte[] start, byte[] stop) {
    return Bytes.compareTo(row, start) >= 0 && (stop.length == 0 || Bytes.compareTo(row, stop) < 0);
  }

  private static byte[] text(String of) {
    return of.getBytes(StandardCharsets.UTF_8);
  }
}
