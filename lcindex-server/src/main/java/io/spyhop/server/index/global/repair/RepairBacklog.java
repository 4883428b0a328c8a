package io.spyhop.server.index.global.repair;

import io.spyhop.server.index.global.repair.RepairItem.Held;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The waiting work of a {@link RepairQueue}, by time. Lists, which are on disk, and entries in
 * memory have places of their own; of those of entries no user has more than half, and of their
 * memory neither. Not thread-safe.
 */
final class RepairBacklog {
  private final RepairSettings settings;
  private final PriorityQueue<RepairItem> items =
      new PriorityQueue<>(Comparator.comparingLong(RepairItem::dueAt));
  private int lists;
  private final Taken all = new Taken();
  private final Map<String, Taken> byUser = new HashMap<>();

  /** The room that entries in memory take, until their items are done. */
  private static final class Taken {
    private int items;
    private int entries;
    private long bytes;

    void add(Held held, int sign) {
      items += sign;
      entries += sign * held.entries();
      bytes += sign * held.bytes();
    }

    boolean fits(Held more, RepairSettings settings, int share) {
      return items < Math.max(1, settings.queue() / 2 / share)
          && (long) entries + more.entries() <= settings.memory() / share
          && bytes + more.bytes() <= settings.memoryBytes() / share;
    }
  }

  RepairBacklog(RepairSettings settings) {
    this.settings = settings;
  }

  /** Takes a new item; false if there is no room for it. */
  boolean add(RepairItem item) {
    Held held = item.holds();
    if (isList(item)) {
      if (!hasRoom()) {
        return false;
      }
    } else if (!fits(held)) {
      return false;
    } else {
      all.add(held, 1);
      if (held.isReported()) {
        byUser.computeIfAbsent(held.by(), u -> new Taken()).add(held, 1);
      }
    }
    enter(item);
    return true;
  }

  private boolean fits(Held held) {
    return all.fits(held, settings, 1)
        && (!held.isReported()
            || byUser.getOrDefault(held.by(), new Taken()).fits(held, settings, 2));
  }

  private static boolean isList(RepairItem item) {
    return item.holds().entries() == 0;
  }

  /** Whether there is room for a list. */
  boolean hasRoom() {
    return lists < settings.queue();
  }

  /** Takes an item again that was {@link #poll polled}. */
  void again(RepairItem item) {
    enter(item);
  }

  private void enter(RepairItem item) {
    items.add(item);
    lists += isList(item) ? 1 : 0;
  }

  /** Takes out the next one, which goes on holding what it holds in memory. */
  RepairItem poll() {
    RepairItem item = items.poll();
    left(item);
    return item;
  }

  private void left(RepairItem item) {
    lists -= isList(item) ? 1 : 0;
  }

  /** The next one, or null. */
  RepairItem peek() {
    return items.peek();
  }

  /** An item that was polled is done with. */
  void done(RepairItem item) {
    Held held = item.holds();
    if (isList(item)) {
      return;
    }
    all.add(held, -1);
    if (held.isReported()) {
      byUser.computeIfPresent(
          held.by(),
          (u, taken) -> {
            taken.add(held, -1);
            return taken.items == 0 ? null : taken;
          });
    }
  }

  /** Lets go of a region's items, and returns them. */
  List<RepairItem> remove(RepairedRegion region) {
    List<RepairItem> due = new ArrayList<>();
    for (RepairItem i : items) {
      if (i.region() == region) {
        due.add(i);
        left(i);
        done(i);
      }
    }
    items.removeAll(due);
    return due;
  }

  int size() {
    return items.size();
  }

  /** How many wait of a region. */
  int size(RepairedRegion region) {
    return (int) items.stream().filter(i -> i.region() == region).count();
  }
}
