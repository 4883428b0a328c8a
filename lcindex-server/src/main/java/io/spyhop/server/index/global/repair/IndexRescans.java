package io.spyhop.server.index.global.repair;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The looks at all entries of a region's rows that make up for inputs of compactions that are gone:
 * for each index one at a time, which answers for every compaction that had committed when it
 * began. A look is taken in parts, so that other repairs have their turn, and goes on where it was.
 * Thread-safe.
 */
final class IndexRescans {
  private final Map<Long, Look> looks = new HashMap<>();
  private final Set<Ticket> outstanding = new HashSet<>();
  private long order;

  /** The place of a compaction that has committed among others, and among the looks. */
  static final class Ticket {
    private final long order;
    private final long foundAt;
    private final Set<Long> answered = new HashSet<>();
    private volatile boolean inputsGone;

    private Ticket(long order, long foundAt) {
      this.order = order;
      this.foundAt = foundAt;
    }

    /** Its inputs cannot be read, and need not be tried again. */
    void inputsGone() {
      inputsGone = true;
    }

    boolean areInputsGone() {
      return inputsGone;
    }
  }

  /** One look; its fields change in the hands of who has the turn. */
  static final class Look {
    private final long incarnation;
    private final StagedNote rows;
    private final Ticket begun;
    private byte[] from = {0x01};
    private boolean taken;
    private boolean done;

    private Look(long incarnation, StagedNote rows, Ticket begun) {
      this.incarnation = incarnation;
      this.rows = rows;
      this.begun = begun;
    }

    /** Whether a row is among those that are looked at. */
    boolean holds(byte[] row) {
      return rows.holds(row);
    }

    /** Since when what it finds is owed; of all that it answers for, the first. */
    long foundAt() {
      return begun.foundAt;
    }

    /** Where it goes on in the index table. */
    byte[] from() {
      return from;
    }

    /**
     * What has been found so far is durable.
     *
     * @param end whether all has been looked at
     */
    void reached(byte[] next, boolean end) {
      from = next;
      done = end;
    }

    private boolean hasAnswered(StagedNote note, Ticket ticket) {
      boolean all =
          Bytes.compareTo(rows.start(), note.start()) <= 0
              && (rows.end().length == 0
                  || note.end().length > 0 && Bytes.compareTo(note.end(), rows.end()) <= 0);
      return done && all && begun.order >= ticket.order;
    }
  }

  /**
   * A ticket for a compaction that has committed by now, until it is {@link #done}.
   *
   * @param foundAt since when its repair is owed
   */
  synchronized Ticket ticket(long foundAt) {
    Ticket ticket = new Ticket(++order, foundAt);
    outstanding.add(ticket);
    return ticket;
  }

  /** What the compaction dropped is found. */
  synchronized void done(Ticket ticket) {
    outstanding.remove(ticket);
  }

  /**
   * The look at an index that is to be taken now, for the time being by the caller alone, who calls
   * {@link #leave} then.
   *
   * @param incarnation the index's
   * @return empty if one has answered
   * @throws RepairHeldException if another repair has the turn
   */
  synchronized Optional<Look> turn(long incarnation, StagedNote note, Ticket ticket)
      throws RepairHeldException {
    Look look = looks.get(incarnation);
    if (ticket.answered.contains(incarnation)) {
      return Optional.empty();
    }
    if (look != null && look.taken) {
      throw new RepairHeldException("all entries are being looked at for another compaction");
    }
    if (look != null && isAnswered(look, note, ticket)) {
      return Optional.empty();
    }
    if (look == null || look.done) {
      look = new Look(incarnation, note, new Ticket(++order, oldest(ticket)));
      looks.put(incarnation, look);
    }
    look.taken = true;
    return Optional.of(look);
  }

  /**
   * Since when the first of all repairs is owed that a look answers for, whichever repair begins
   * it.
   */
  private long oldest(Ticket ticket) {
    return outstanding.stream().mapToLong(t -> t.foundAt).reduce(ticket.foundAt, Math::min);
  }

  /**
   * Lets others go on with a look.
   *
   * @return whether it has answered
   */
  synchronized boolean leave(Look look, StagedNote note, Ticket ticket) {
    look.taken = false;
    return isAnswered(look, note, ticket);
  }

  /** An answer stays one when other looks begin, while the compaction waits for other indexes. */
  private static boolean isAnswered(Look look, StagedNote note, Ticket ticket) {
    boolean answered = look.hasAnswered(note, ticket);
    if (answered) {
      ticket.answered.add(look.incarnation);
    }
    return answered;
  }
}
