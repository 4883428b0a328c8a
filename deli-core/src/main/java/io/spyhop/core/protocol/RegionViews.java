package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * The progress of the sorted views of one region ({@code docs/formats/region-messages.md}).
 *
 * @param views one for each family that has the option, and whose store can have views
 */
public record RegionViews(List<View> views) {
  private static final int MAGIC = 0x53505653; // SPVS
  private static final int VERSION = 1;
  private static final int LEAST_VIEW =
      2 * Frame.LEAST_UTF + 4 * Long.BYTES + 2 * Integer.BYTES + 1;

  /**
   * The view of one store.
   *
   * @param family the store's family
   * @param hfiles HFiles of the store
   * @param inView of these, how many the view is of; 0 without a view
   * @param cells in the view
   * @param bytes of memory that it takes
   * @param isPending whether a job makes a newer one
   * @param unused how often a view was too large since the region has been open
   * @param damaged how often one was damaged, or said what is not so
   * @param lastError what went wrong last and has not been mended since, or empty
   */
  public record View(
      String family,
      int hfiles,
      int inView,
      long cells,
      long bytes,
      boolean isPending,
      long unused,
      long damaged,
      String lastError) {}

  /** Copies the views. */
  public RegionViews {
    views = List.copyOf(views);
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    Frame.writeList(
        out,
        views,
        (to, v) -> {
          to.writeUTF(v.family);
          to.writeInt(v.hfiles);
          to.writeInt(v.inView);
          to.writeLong(v.cells);
          to.writeLong(v.bytes);
          to.writeBoolean(v.isPending);
          to.writeLong(v.unused);
          to.writeLong(v.damaged);
          to.writeUTF(v.lastError);
        });
  }

  /** Reads the wire form. */
  public static RegionViews decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("a region's views", MAGIC, VERSION, bytes, RegionViews::read);
  }

  private static RegionViews read(DataInputStream in) throws IOException {
    return new RegionViews(Frame.readList(in, LEAST_VIEW, RegionViews::readView));
  }

  private static View readView(DataInputStream in) throws IOException {
    return new View(
        Frame.readUtf(in),
        in.readInt(),
        in.readInt(),
        in.readLong(),
        in.readLong(),
        in.readBoolean(),
        in.readLong(),
        in.readLong(),
        Frame.readUtf(in));
  }
}
