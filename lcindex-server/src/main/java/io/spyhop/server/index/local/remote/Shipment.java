package io.spyhop.server.index.local.remote;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import io.spyhop.server.index.local.SFile;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * The index files that an open region has, for the server to which it is going to be moved ({@code
 * docs/formats/remote.md}).
 *
 * @param items one for each HFile and index that has files
 * @param missing how many have none yet
 */
public record Shipment(List<Item> items, int missing) {
  private static final int MAGIC = 0x53505348; // SPSH
  private static final int VERSION = 1;
  private static final int LEAST_ITEM = 2 * Frame.LEAST_UTF + 2 * Frame.LEAST_BYTES;

  /**
   * The files of one HFile and index.
   *
   * @param hfile the HFile's name in the region
   * @param family its family
   * @param origin encoded name of the region in whose directory the files are
   * @param file as it is there
   */
  public record Item(String hfile, byte[] family, String origin, SFile file) {}

  /** Copies the list. */
  public Shipment {
    items = List.copyOf(items);
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(
        MAGIC,
        VERSION,
        out -> {
          Frame.writeList(out, items, Shipment::write);
          out.writeInt(missing);
        });
  }

  private static void write(DataOutputStream out, Item item) throws IOException {
    out.writeUTF(item.hfile);
    Frame.writeBytes(out, item.family);
    out.writeUTF(item.origin);
    Frame.writeBytes(out, item.file.encode());
  }

  /** Reads the wire form. */
  public static Shipment decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "shipment",
        MAGIC,
        VERSION,
        bytes,
        in -> new Shipment(Frame.readList(in, LEAST_ITEM, Shipment::read), in.readInt()));
  }

  private static Item read(DataInputStream in) throws IOException {
    return new Item(
        Frame.readUtf(in),
        Frame.readBytes(in),
        Frame.readUtf(in),
        SFile.decode(Frame.readBytes(in)));
  }
}
