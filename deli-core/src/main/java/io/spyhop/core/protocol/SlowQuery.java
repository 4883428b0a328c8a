package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * One query that took long in one region ({@code docs/formats/region-messages.md}).
 *
 * @param endedAt when it ended, milliseconds since the epoch by the server's clock
 * @param table the table's name
 * @param predicate what was asked for, cut short if it is long; with {@code ?} in the place of
 *     values where these are not to be shown
 * @param plan how the region answered, and what happened
 */
public record SlowQuery(long endedAt, String table, String predicate, RegionPlan plan) {
  private static final int MAGIC = 0x5350534c; // SPSL
  private static final int VERSION = 1;

  /** Checks that nothing is null. */
  public SlowQuery {
    Objects.requireNonNull(table);
    Objects.requireNonNull(predicate);
    Objects.requireNonNull(plan);
  }

  /** The binary form of a list. */
  public static byte[] encode(List<SlowQuery> queries) {
    return Frame.encode(
        MAGIC, VERSION, out -> Frame.writeList(out, queries, (to, query) -> query.write(to)));
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeLong(endedAt);
    out.writeUTF(table);
    Frame.writeBytes(out, predicate.getBytes(StandardCharsets.UTF_8));
    Frame.writeBytes(out, plan.encode());
  }

  /** Reads what {@link #encode} wrote. */
  public static List<SlowQuery> decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "list of slow queries",
        MAGIC,
        VERSION,
        bytes,
        in ->
            Frame.readList(
                in, Long.BYTES + Frame.LEAST_UTF + 2 * Frame.LEAST_BYTES, SlowQuery::read));
  }

  private static SlowQuery read(DataInputStream in) throws IOException {
    return new SlowQuery(
        in.readLong(),
        Frame.readUtf(in),
        new String(Frame.readBytes(in), StandardCharsets.UTF_8),
        RegionPlan.decode(Frame.readBytes(in)));
  }
}
