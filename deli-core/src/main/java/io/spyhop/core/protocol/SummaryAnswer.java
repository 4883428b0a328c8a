package io.spyhop.core.protocol;

import io.spyhop.core.stats.RegionSummary;
import io.spyhop.core.stats.SummaryChange;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A region's answer to a {@link SummaryRequest}: the statistics log since the request's version or,
 * if the epoch is another or the log does not reach back, everything. Whatever was published before
 * the request arrived is in it (paper, section 5.2). Immutable, thread-safe.
 *
 * @param epoch the region's epoch
 * @param since the request's version, after which the changes come
 * @param changes in order, each raising the version by one
 * @param whole everything; then there are no changes
 */
public record SummaryAnswer(
    long epoch, long since, List<SummaryChange> changes, Optional<RegionSummary> whole) {
  private static final int MAGIC = 0x53505341; // SPSA
  private static final int VERSION = 1;

  /** Copies the list. */
  public SummaryAnswer {
    changes = List.copyOf(changes);
  }

  /** The log since a version; empty changes say that nothing is new. */
  public static SummaryAnswer changes(long epoch, long since, List<SummaryChange> changes) {
    return new SummaryAnswer(epoch, since, changes, Optional.empty());
  }

  /** Everything. */
  public static SummaryAnswer whole(RegionSummary summary) {
    return new SummaryAnswer(summary.epoch(), summary.version(), List.of(), Optional.of(summary));
  }

  /** The one that is shorter on the wire. */
  public SummaryAnswer orIfShorter(SummaryAnswer other) {
    return other.encode().length < encode().length ? other : this;
  }

  /** Whether the changes start where a client's summary ends; if not, all is to be asked for. */
  public boolean follows(long knownEpoch, long knownVersion) {
    return whole.isEmpty() && epoch == knownEpoch && since == knownVersion;
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeBoolean(whole.isPresent());
    if (whole.isPresent()) {
      whole.get().write(out);
      return;
    }
    out.writeLong(epoch);
    out.writeLong(since);
    out.writeInt(changes.size());
    for (SummaryChange c : changes) {
      c.write(out);
    }
  }

  /** Whether a wire form is one of these. */
  static boolean is(byte[] bytes) {
    return bytes.length >= Integer.BYTES && Bytes.toInt(bytes) == MAGIC;
  }

  /** Reads the wire form. */
  public static SummaryAnswer decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("summary answer", MAGIC, VERSION, bytes, SummaryAnswer::read);
  }

  private static SummaryAnswer read(DataInputStream in) throws IOException {
    if (in.readBoolean()) {
      return whole(RegionSummary.read(in));
    }
    long epoch = in.readLong();
    long since = in.readLong();
    return changes(epoch, since, Frame.readList(in, SummaryChange.LEAST, SummaryChange::read));
  }
}
