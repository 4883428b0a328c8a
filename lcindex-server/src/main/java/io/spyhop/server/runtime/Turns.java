package io.spyhop.server.runtime;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * The things that periodic work looks at. Those with nothing to do are at rest: they are looked at
 * once in twenty turns, not all in the same one, in case that nobody has told of a change.
 * Thread-safe; one thread takes the turns.
 */
public final class Turns<T> {
  private static final int REST = 20;
  private static final int AWAKE = -1;

  /** By thing the turn, of twenty, in which it is looked at. */
  private final Map<T, Integer> all = new ConcurrentHashMap<>();

  private final ToIntFunction<T> group;
  private int turn;

  /**
   * @param group those that rest with the same number have the same turn: what they all ask for is
   *     asked for once
   */
  public Turns(ToIntFunction<T> group) {
    this.group = group;
  }

  /** Looks at something from the next turn on. */
  public void add(T thing) {
    all.put(thing, AWAKE);
  }

  /** Looks at it no more. */
  public void remove(T thing) {
    all.remove(thing);
  }

  /** Whether it has nothing to do until something changes. */
  public void rest(T thing, boolean atRest) {
    all.replace(thing, atRest ? Math.floorMod(group.applyAsInt(thing), REST) : AWAKE);
  }

  /** Looks at all, now. */
  public void forEach(Consumer<T> look) {
    all.keySet().forEach(look);
  }

  /** Looks at all whose turn it is. */
  public void next(Consumer<T> look) {
    turn = (turn + 1) % REST;
    all.forEach(
        (thing, its) -> {
          if (its == AWAKE || its == turn) {
            look.accept(thing);
          }
        });
  }
}
