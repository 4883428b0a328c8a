package io.spyhop.server.model;

import java.io.IOException;
import java.util.Random;

/** At most one scan of each kind that is held over some steps. */
final class HeldScans implements AutoCloseable {
  private static final int LONGEST = 6;

  private final ModelTable model;
  private HeldScan held;
  private HeldOrder ordered;
  private int steps;
  private int finished;
  private int pinned;
  private int finishedInOrder;
  private int certain;

  HeldScans(ModelTable model) {
    this.model = model;
  }

  /** Begins some, after it has ended those that are held. */
  void open(Random r) throws IOException {
    finish();
    held = new HeldScan(model, r);
    ordered = new HeldOrder(model, r);
    steps = 1 + r.nextInt(LONGEST);
  }

  /** A step is over, the one that began it included. */
  void step() throws IOException {
    if (held == null) {
      return;
    }
    if (steps-- > 0) {
      held.note();
      ordered.note();
    } else {
      finish();
    }
  }

  private void finish() throws IOException {
    if (held == null) {
      return;
    }
    try {
      held.finish();
      finished++;
      pinned += held.pinned();
      certain += ordered.finish();
      finishedInOrder++;
    } finally {
      close();
    }
  }

  @Override
  public String toString() {
    return finished
        + " scans were held, "
        + pinned
        + " of their rows at a read point all the time, and "
        + finishedInOrder
        + " in order, "
        + certain
        + " of whose rows did not change";
  }

  @Override
  public void close() {
    if (held != null) {
      held.close();
      held = null;
    }
    if (ordered != null) {
      ordered.close();
      ordered = null;
    }
  }
}
