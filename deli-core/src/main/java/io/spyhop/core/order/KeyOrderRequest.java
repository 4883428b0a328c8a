package io.spyhop.core.order;

import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks a region of a bucketed table for rows in the order of users' keys, {@code
 * docs/formats/key-order.md}. Immutable as long as nobody writes to the arrays.
 *
 * @param start the stored row at which the scan starts: one that HBase's client has opened again
 *     further on is recognised by it
 * @param from the least user's key, inclusive; empty for all
 * @param to the user's key behind the greatest, exclusive; empty for all
 * @param descending whether the greatest key comes first
 * @param filter the state of a {@link FilterList} of the one filter that rows must pass; empty for
 *     none
 */
public record KeyOrderRequest(
    byte[] start, byte[] from, byte[] to, boolean descending, byte[] filter) {
  private static final int MAGIC = 0x53504b4f; // SPKO

  /** Without a filter, which the first servers refuse. */
  private static final int UNFILTERED = 1;

  private static final int VERSION = 2;

  /** For all rows of the keys. */
  public KeyOrderRequest(byte[] start, byte[] from, byte[] to, boolean descending) {
    this(start, from, to, descending, new byte[0]);
  }

  /**
   * For rows that pass a filter, which is asked about the rows of each prefix alone.
   *
   * @param passed null for all rows
   * @throws IOException if the filter has no wire form
   */
  public static KeyOrderRequest of(
      byte[] start, byte[] from, byte[] to, boolean descending, Filter passed) throws IOException {
    byte[] filter = passed == null ? new byte[0] : new FilterList(passed).toByteArray();
    return new KeyOrderRequest(start, from, to, descending, filter);
  }

  /**
   * The filter that rows must pass, with no state yet; empty for none.
   *
   * @throws DoNotRetryIOException if it cannot be made here
   */
  public Optional<Filter> newFilter() throws DoNotRetryIOException {
    if (filter.length == 0) {
      return Optional.empty();
    }
    try {
      return FilterList.parseFrom(filter).getFilters().stream().findFirst();
    } catch (DeserializationException e) {
      throw new DoNotRetryIOException("the filter of a scan cannot be read: " + e.getMessage(), e);
    }
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, filter.length == 0 ? UNFILTERED : VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    Frame.writeBytes(out, start);
    Frame.writeBytes(out, from);
    Frame.writeBytes(out, to);
    out.writeBoolean(descending);
    if (filter.length > 0) {
      Frame.writeBytes(out, filter);
    }
  }

  /**
   * Reads the wire form.
   *
   * @throws CorruptFrameException if it is none of this version
   */
  public static KeyOrderRequest decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "key order request", MAGIC, UNFILTERED, VERSION, bytes, KeyOrderRequest::read);
  }

  private static KeyOrderRequest read(DataInputStream in, int version) throws IOException {
    byte[] start = Frame.readBytes(in);
    byte[] from = Frame.readBytes(in);
    byte[] to = Frame.readBytes(in);
    boolean descending = in.readBoolean();
    byte[] filter = version == UNFILTERED ? new byte[0] : Frame.readBytes(in);
    if (version > UNFILTERED && filter.length == 0) {
      throw new CorruptFrameException("the filter has no bytes");
    }
    return new KeyOrderRequest(start, from, to, descending, filter);
  }

  /** Whether a stored row has one of the keys. */
  public boolean has(byte[] row) {
    int length = row.length - BucketOptions.WIDTH;
    return Bytes.compareTo(row, BucketOptions.WIDTH, length, from, 0, from.length) >= 0
        && (to.length == 0
            || Bytes.compareTo(row, BucketOptions.WIDTH, length, to, 0, to.length) < 0);
  }

  /**
   * A range of stored rows, all of one prefix.
   *
   * @param start inclusive; empty for the table's beginning
   * @param stop exclusive; empty for the table's end
   */
  public record Run(byte[] start, byte[] stop) {}

  /**
   * The sorted runs of the rows that are asked for, in a range of stored rows.
   *
   * @param first of the range, inclusive; empty for the table's beginning
   * @param last of the range, exclusive; empty for the table's end
   * @throws io.spyhop.core.bucket.InvalidBucketsException if a bound is longer than any key
   */
  public List<Run> runs(BucketKeys keys, byte[] first, byte[] last) {
    List<Run> runs = new ArrayList<>();
    for (int prefix = 0; prefix < keys.prefixes(); prefix++) {
      byte[] begin = keys.start(prefix, from);
      byte[] end = keys.stop(prefix, to);
      Run run =
          new Run(
              Bytes.compareTo(begin, first) >= 0 ? begin : first, isLess(end, last) ? end : last);
      if (isBelow(run.start, run.stop)) {
        runs.add(run);
      }
    }
    return runs;
  }

  private static boolean isLess(byte[] stop, byte[] other) {
    return other.length == 0 || stop.length > 0 && Bytes.compareTo(stop, other) < 0;
  }

  private static boolean isBelow(byte[] row, byte[] stop) {
    return stop.length == 0 || Bytes.compareTo(row, stop) < 0;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof KeyOrderRequest other && Arrays.equals(encode(), other.encode());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(encode());
  }

  @Override
  public String toString() {
    return "keys ["
        + Bytes.toStringBinary(from)
        + ", "
        + Bytes.toStringBinary(to)
        + ")"
        + (descending ? " descending" : "")
        + (filter.length == 0 ? "" : " that pass a filter");
  }
}
