package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;

/**
 * One index job that a region server has ended ({@code docs/formats/region-messages.md}).
 *
 * @param kind one of the LCIndex paper's kinds: FLUSH, COMMIT, COMPACT, COMPLETE_COMPACT, ARCHIVE,
 *     REMOTE, or STATISTICS
 * @param outcome DONE, FAILED or CANCELLED
 * @param endedAt when it ended, milliseconds since the epoch by the server's clock
 * @param waited milliseconds between being queued and being started
 * @param ran milliseconds between being started and being ended
 */
public record JobRecord(String kind, String outcome, long endedAt, long waited, long ran) {
  private static final int MAGIC = 0x53504a42; // SPJB
  private static final int VERSION = 1;

  /** The binary form of a list. */
  public static byte[] encode(List<JobRecord> jobs) {
    return Frame.encode(
        MAGIC,
        VERSION,
        out ->
            Frame.writeList(
                out,
                jobs,
                (to, j) -> {
                  to.writeUTF(j.kind);
                  to.writeUTF(j.outcome);
                  to.writeLong(j.endedAt);
                  to.writeLong(j.waited);
                  to.writeLong(j.ran);
                }));
  }

  /** Reads what {@link #encode} wrote. */
  public static List<JobRecord> decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "job list",
        MAGIC,
        VERSION,
        bytes,
        in -> Frame.readList(in, 2 * Frame.LEAST_UTF + 3 * Long.BYTES, JobRecord::read));
  }

  private static JobRecord read(DataInputStream in) throws IOException {
    return new JobRecord(
        Frame.readUtf(in), Frame.readUtf(in), in.readLong(), in.readLong(), in.readLong());
  }
}
