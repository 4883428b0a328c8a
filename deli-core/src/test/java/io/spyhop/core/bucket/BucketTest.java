package io.spyhop.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.hbase.util.Bytes;

class BucketTest {
  private static final BucketOptions OPTIONS = BucketOptions.usual();

  @Example
  void theDaughtersAreTheHalves() {
    Bucket bucket = new Bucket(0b01, 2);
    assertThat(bucket).hasToString("01");
    assertThat(bucket.start()).isEqualTo(Bytes.toBytesBinary("\\x80\\x00"));
    assertThat(bucket.stop()).isEqualTo(Bytes.toBytesBinary("\\xC0\\x00"));
    assertThat(bucket.middle()).isEqualTo(Bytes.toBytesBinary("\\xA0\\x00"));
    assertThat(bucket.lower()).hasToString("001");
    assertThat(bucket.upper()).hasToString("101");
    assertThat(bucket.parent()).contains(new Bucket(1, 1));
    assertThat(Bucket.whole().parent()).isEmpty();
    assertThat(Bucket.whole()).hasToString("*");
  }

  @Property
  void aBucketIsFoundByItsBorders(
      @ForAll @IntRange(max = 12) int depth, @ForAll @IntRange(max = 4095) int any) {
    Bucket bucket = new Bucket(any & ((1 << depth) - 1), depth);
    assertThat(Bucket.ofRange(bucket.start(), bucket.stop())).contains(bucket);
    if (depth < 12) {
      assertThat(Bucket.ofRange(bucket.start(), bucket.middle())).contains(bucket.lower());
      assertThat(Bucket.ofRange(bucket.middle(), bucket.stop())).contains(bucket.upper());
      assertThat(bucket.upper().parent()).contains(bucket);
    } else {
      assertThatThrownBy(bucket::lower).hasMessageContaining("none has more than 12");
    }
  }

  @Example
  void otherRangesAreNoBuckets() {
    for (String[] range :
        new String[][] {
          {"", "\\x60\\x00"}, // three eighths
          {"\\x40\\x00", "\\xC0\\x00"}, // a half, but of two parents
          {"\\x40", "\\x80\\x00"}, // not two bytes
          {"\\x40\\x00", "\\x80\\x00a"},
          {"\\x40\\x00", "\\x40\\x00"},
          {"\\x40\\x00", "\\x40\\x08"}, // thirteen bits
          {"\\x80\\x00", "\\x40\\x00"},
        }) {
      assertThat(Bucket.ofRange(Bytes.toBytesBinary(range[0]), Bytes.toBytesBinary(range[1])))
          .as(Arrays.toString(range))
          .isEmpty();
    }
  }

  @Example
  void aDirectoryIsReadFromTheRegions() {
    Directory four = Directory.even(4);
    assertThat(four.buckets()).extracting(Bucket::toString).containsExactly("00", "10", "01", "11");
    assertThat(four.globalDepth()).isEqualTo(2);
    List<byte[]> starts =
        Stream.concat(
                Stream.of(new byte[0], new Bucket(0b10, 2).middle()), Stream.of(four.splitKeys()))
            .toList();
    Directory five = Directory.of(OPTIONS, starts);
    assertThat(five).hasToString("[00, 010, 110, 01, 11]");
    assertThat(five.globalDepth()).isEqualTo(3);
    assertThat(five.of(Bytes.toBytesBinary("\\x65\\x00row"))).hasToString("110");
    assertThat(new Bucket(0, 2).normalisedSize(3)).isEqualTo(2);
  }

  @Example
  void otherBordersAreRefused() {
    assertThatThrownBy(() -> directory("", "row"))
        .isInstanceOf(InvalidBucketsException.class)
        .hasMessageContaining("region [, row) is no bucket");
    assertThatThrownBy(() -> directory("", "\\x20\\x00")).hasMessageContaining("no bucket");
    assertThatThrownBy(() -> directory("\\x80\\x00")).hasMessageContaining("first rows");
    assertThatThrownBy(() -> directory()).hasMessageContaining("first rows");
    assertThatThrownBy(
            () ->
                Directory.of(
                    BucketOptions.usual(1).withBits(1),
                    List.of(new byte[0], new byte[] {0x40, 0}, new byte[] {(byte) 0x80, 0})))
        .hasMessageContaining("of at most 1 bits");
  }

  private static Directory directory(String... starts) {
    return Directory.of(OPTIONS, Arrays.stream(starts).map(Bytes::toBytesBinary).toList());
  }

  /** Whatever is split, in any order, the buckets cover all prefixes, each once. */
  @Property(tries = 200)
  void splitsKeepADirectory(@ForAll long seed, @ForAll @IntRange(max = 60) int splits) {
    Random random = new Random(seed);
    List<Bucket> buckets = new ArrayList<>(List.of(Bucket.whole()));
    for (int i = 0; i < splits; i++) {
      Bucket split = buckets.get(random.nextInt(buckets.size()));
      if (split.depth() < OPTIONS.bits()) {
        buckets.remove(split);
        buckets.add(split.lower());
        buckets.add(split.upper());
      }
    }
    Directory directory = Directory.of(OPTIONS, buckets.stream().map(Bucket::start).toList());
    buckets.sort(null);
    assertThat(directory.buckets()).isEqualTo(buckets);
    assertThat(buckets.stream().mapToLong(b -> b.normalisedSize(directory.globalDepth())).sum())
        .isEqualTo(1L << directory.globalDepth());
  }
}
