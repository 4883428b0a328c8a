package io.spyhop.server.model;

import java.io.IOException;
import java.util.Random;

/** At most one scan that is held over some steps. */
final class HeldScans implements AutoCloseable {
  private static final int LONGEST = 6;

  private final ModelTable model;
  private HeldScan held;
  private int steps;
  private int finished;
  private int pinned;

  HeldScans(ModelTable model) {
    this.model = model;
  }

  /** Begins one, or ends the one that is held. */
  void open(Random r) throws IOException {
    if (held != null) {
      finish();
    }
    held = new HeldScan(model, r);
    steps = 1 + r.nextInt(LONGEST);
  }

  /** A step is over, the one that began it included. */
  void step() throws IOException {
    if (held == null) {
      return;
    }
    if (steps-- > 0) {
      held.note();
    } else {
      finish();
    }
  }

  private void finish() throws IOException {
    try {
      held.finish();
      finished++;
      pinned += held.pinned();
    } finally {
      close();
    }
  }

  @Override
  public String toString() {
    return finished + " scans were held, " + pinned + " of their rows at a read point all the time";
  }

  @Override
  public void close() {
    if (held != null) {
      held.close();
      held = null;
    }
  }
}
