package io.spyhop.server.view;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Views as bytes ({@code docs/formats/view.md}). Stateless. */
public final class ViewFormat {
  private static final int MAGIC = 0x53505657; // SPVW
  private static final int VERSION = 3;
  private static final int FIRST_VERSION = 1;
  private static final int MAX_INTERVAL = 1 << 12;

  private ViewFormat() {}

  /** The view as bytes. */
  public static byte[] encode(SortedView view) {
    return Frame.encode(MAGIC, VERSION, out -> write(view, out));
  }

  private static void write(SortedView view, DataOutputStream out) throws IOException {
    Frame.writeBytes(out, view.family());
    out.writeInt(view.interval());
    Frame.writeList(out, view.runs(), (o, r) -> r.writeTo(o));
    Frame.writeBytes(out, view.selectors());
    view.starts().writeTo(out);
    view.anchors().writeTo(out);
    for (int r = 0; r < view.runs().size(); r++) {
      view.pointers(r).writeTo(out);
    }
  }

  /**
   * Reads what {@link #encode} made.
   *
   * @return empty if an earlier version of it did
   * @throws CorruptFrameException if it is damaged, or no view
   */
  public static Optional<SortedView> decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("sorted view", MAGIC, FIRST_VERSION, VERSION, bytes, ViewFormat::read);
  }

  private static Optional<SortedView> read(DataInputStream in, int version) throws IOException {
    if (version == VERSION) {
      return Optional.of(read(in));
    }
    in.skipNBytes(in.available());
    return Optional.empty();
  }

  private static SortedView read(DataInputStream in) throws IOException {
    byte[] family = Frame.readBytes(in);
    int interval = in.readInt();
    check(family.length <= Byte.MAX_VALUE, "family");
    check(interval > 0 && interval <= MAX_INTERVAL, "interval");
    List<Run> runs = Frame.readList(in, Run.LEAST, Run::read);
    check(runs.size() <= Selectors.MAX_RUNS, "number of runs");
    byte[] selectors = Frame.readBytes(in);
    PackedLongs starts = PackedLongs.read(in);
    Anchors anchors = Anchors.read(in, family);
    PackedLongs[] pointers = new PackedLongs[runs.size()];
    for (int r = 0; r < pointers.length; r++) {
      pointers[r] = PackedLongs.read(in);
      check(pointers[r].count() == starts.count(), "number of pointers");
    }
    check(anchors.count() == starts.count(), "number of anchors");
    SortedView view = new SortedView(family, runs, interval, selectors, starts, anchors, pointers);
    checkSegments(view);
    checkSelectors(view);
    return view;
  }

  private static void checkSegments(SortedView view) throws CorruptFrameException {
    check(view.segments() > 0 == view.keys() > 0, "number of segments");
    long before = -1;
    for (int s = 0; s < view.segments(); s++) {
      long start = view.starts().get(s);
      check(s == 0 ? start == 0 : start > before, "segment");
      check(start < view.keys(), "segment");
      before = start;
    }
  }

  /** Every run has as many keys as cells. */
  private static void checkSelectors(SortedView view) throws CorruptFrameException {
    long[] keys = new long[Selectors.MAX_RUNS + 1];
    for (byte s : view.selectors()) {
      keys[Selectors.run(s)]++;
    }
    for (int r = 0; r < keys.length; r++) {
      check(keys[r] == (r < view.runs().size() ? view.runs().get(r).entries() : 0), "run's keys");
    }
  }

  private static void check(boolean sound, String what) throws CorruptFrameException {
    if (!sound) {
      throw new CorruptFrameException("the " + what + " cannot be");
    }
  }
}
