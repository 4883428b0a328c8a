package io.spyhop.core.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.wire.CorruptFrameException;
import java.util.Arrays;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;

class KeyOrderRequestTest {
  private static final byte[] NONE = new byte[0];
  private static final BucketKeys KEYS = BucketOptions.usual().withBits(4).keys();

  @Property
  void comesBackFromTheWire(
      @ForAll byte[] start,
      @ForAll byte[] from,
      @ForAll byte[] to,
      @ForAll boolean descending,
      @ForAll boolean filtered)
      throws Exception {
    Filter filter = filtered ? new ColumnPaginationFilter(1, 0) : null;
    KeyOrderRequest request = KeyOrderRequest.of(start, from, to, descending, filter);
    assertThat(request.newFilter()).isEqualTo(Optional.ofNullable(filter));
    assertThat(KeyOrderFilter.parseFrom(new KeyOrderFilter(request).toByteArray()).request())
        .isEqualTo(request);
  }

  @Example
  void damageIsSeen() {
    byte[] bytes = new KeyOrderRequest(NONE, NONE, NONE, false).encode();
    bytes[bytes.length - 1] ^= 1;
    assertThatThrownBy(() -> KeyOrderRequest.decode(bytes))
        .isInstanceOf(CorruptFrameException.class);
    assertThatThrownBy(() -> KeyOrderFilter.parseFrom(bytes))
        .isInstanceOf(DeserializationException.class);
  }

  @Example
  void aFilterThatCannotBeMadeIsNamed() {
    byte[] none = {1, 2, 3};
    KeyOrderRequest request = new KeyOrderRequest(NONE, NONE, NONE, false, none);
    assertThatThrownBy(request::newFilter)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("the filter of a scan cannot be read");
  }

  @Property
  void knowsItsKeys(
      @ForAll @Size(min = 1, max = 3) byte[] key,
      @ForAll @Size(max = 3) byte[] from,
      @ForAll @Size(max = 3) byte[] to) {
    assertThat(new KeyOrderRequest(NONE, from, to, false).has(KEYS.stored(key)))
        .isEqualTo(isIn(key, from, to));
  }

  /** A row is in one of the runs if it is asked for and stored in the range, and in one alone. */
  @Property
  void runsHaveWhatIsAskedFor(
      @ForAll @Size(min = 1, max = 3) byte[] key,
      @ForAll @Size(max = 3) byte[] from,
      @ForAll @Size(max = 3) byte[] to,
      @ForAll @IntRange(max = 15) int first,
      @ForAll @IntRange(max = 16) int last) {
    byte[] row = KEYS.stored(key);
    byte[] start = KEYS.start(Math.min(first, last), NONE);
    byte[] stop = last == 16 ? NONE : KEYS.stop(Math.max(first, last), NONE);
    long in =
        new KeyOrderRequest(start, from, to, false)
            .runs(KEYS, start, stop).stream().filter(r -> isIn(row, r.start(), r.stop())).count();
    assertThat(in).isEqualTo(isIn(key, from, to) && isIn(row, start, stop) ? 1 : 0);
  }

  /** Of all keys that there may be, the same are below a bound that is cut. */
  @Property
  void longBoundsAreCut(@ForAll @Size(max = 4) byte[] end, @ForAll @Size(max = 4) byte[] endOfKey) {
    byte[] bound = longest(end, BucketKeys.MAX_LENGTH + 1);
    byte[] key = longest(endOfKey, BucketKeys.MAX_LENGTH);
    boolean below = Bytes.compareTo(key, bound) < 0;
    assertThat(BucketKeys.shortened(bound).map(b -> Bytes.compareTo(key, b) < 0).orElse(true))
        .isEqualTo(below);
    assertThat(BucketKeys.shortened(key)).containsSame(key);
  }

  private static byte[] longest(byte[] end, int length) {
    byte[] key = new byte[length];
    Arrays.fill(key, (byte) 0xFF);
    System.arraycopy(end, 0, key, BucketKeys.MAX_LENGTH - end.length, end.length);
    return key;
  }

  private static boolean isIn(byte[] row, byte[] start, byte[] stop) {
    return Bytes.compareTo(row, start) >= 0 && (stop.length == 0 || Bytes.compareTo(row, stop) < 0);
  }
}
