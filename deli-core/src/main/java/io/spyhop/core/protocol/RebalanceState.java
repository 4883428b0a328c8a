package io.spyhop.core.protocol;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.bucket.Rebalance;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;

/**
 * The progress of a rebalance, as the master keeps it durably and tells it.
 *
 * @param request what was asked for
 * @param user who asked
 * @param since when, in milliseconds
 * @param phase what was noted last
 * @param moves each bucket that was moved, in order, and in phase {@link Phase#COMMIT} the one that
 *     is being moved as the last
 * @param left what is planned to be moved after these
 * @param note why it was given up or stopped, what it waits for, or what went wrong with a bucket
 *     last; else empty
 * @param regions encoded names of the regions that the table had when it began, by which it is told
 *     from another of its name; empty if they were not noted
 * @param will of the administrator, from before; empty if there is none
 */
public record RebalanceState(
    RebalanceRequest request,
    String user,
    long since,
    Phase phase,
    List<Moved> moves,
    List<Moved> left,
    String note,
    List<String> regions,
    Optional<Will> will) {
  private static final int MAGIC = 0x53505253; // SPRS
  private static final int OLDEST = 1;

  /** Version 1 has neither regions nor a will, and knows no phase {@link Phase#WAITING}. */
  private static final int VERSION = 2;

  private static final int LEAST_MOVED =
      Byte.BYTES + 2 * Frame.LEAST_UTF + 3 * Integer.BYTES + 2 * Long.BYTES;

  /** Phases of a rebalance; the ordinal is written. */
  public enum Phase {
    /** Buckets are made ready to be moved. */
    BEGIN,
    /** The last bucket of the list is being moved: its server has all that it needs. */
    COMMIT,
    /** All buckets are where they should be. */
    DONE,
    /** It was given up; what was moved stays. */
    ABORTED,
    /** As {@link #BEGIN}, and other tables are first; is told, and never noted. */
    WAITING,
    /** An administrator stopped it; what was moved stays, and nothing begins by itself. */
    STOPPED;

    /** Whether there is more to do. */
    public boolean isOpen() {
      return this == BEGIN || this == COMMIT || this == WAITING;
    }
  }

  /**
   * The servers that shall have buckets, as the last rebalance said that came to its end.
   *
   * @param since when that one began, in milliseconds
   */
  public record Will(List<ServerName> staying, long since) {
    /** Copies the list. */
    public Will {
      staying = List.copyOf(staying);
    }
  }

  /**
   * One bucket that changes its server.
   *
   * @param files index files that were shipped
   * @param bytes of these
   * @param missing index files that the bucket should have had and had not when it was moved
   * @param blockedMillis how long its writes were held up, until it was open again
   */
  public record Moved(
      Bucket bucket,
      ServerName from,
      ServerName to,
      int files,
      long bytes,
      int missing,
      long blockedMillis) {
    /** One that is planned. */
    public static Moved planned(Rebalance.Move<ServerName> move) {
      return new Moved(move.bucket(), move.from(), move.to(), 0, 0, 0, 0);
    }

    /** The same, as it came out. */
    public Moved with(int allFiles, long allBytes, int stillMissing, long millis) {
      return new Moved(bucket, from, to, allFiles, allBytes, stillMissing, millis);
    }

    /** Which bucket, from where, and where to. */
    public Rebalance.Move<ServerName> move() {
      return new Rebalance.Move<>(bucket, from, to);
    }
  }

  /** Copies the lists. */
  public RebalanceState {
    moves = List.copyOf(moves);
    left = List.copyOf(left);
    regions = List.copyOf(regions);
  }

  /**
   * One that begins.
   *
   * @param regions encoded names of the regions that the table has
   * @param will from before
   */
  public static RebalanceState begun(
      RebalanceRequest request,
      String user,
      long since,
      List<String> regions,
      Optional<Will> will) {
    return new RebalanceState(
        request, user, since, Phase.BEGIN, List.of(), List.of(), "", regions, will);
  }

  private RebalanceState with(Phase next, List<Moved> all, List<Moved> rest, String why) {
    return new RebalanceState(request, user, since, next, all, rest, why, regions, will);
  }

  /** What later rebalances have to go by: one that was given up changes nothing. */
  public Optional<Will> lastWill() {
    return phase == Phase.DONE ? Optional.of(new Will(request.staying(), since)) : will;
  }

  /** The same, to be told while it has to wait. */
  public RebalanceState waiting(String why) {
    return with(Phase.WAITING, moves, left, why);
  }

  /** What is to be moved from now on. */
  public RebalanceState planned(List<Rebalance.Move<ServerName>> plan) {
    return with(Phase.BEGIN, moves, plan.stream().map(Moved::planned).toList(), note);
  }

  /** The first that was planned will not be moved. */
  public RebalanceState skipped() {
    return with(Phase.BEGIN, moves, left.subList(1, left.size()), note);
  }

  /**
   * The first that was planned is about to be moved.
   *
   * @param trouble what went wrong with it, if something did
   */
  public RebalanceState committing(Moved moved, Optional<String> trouble) {
    List<Moved> all = new ArrayList<>(moves);
    all.add(moved);
    return with(Phase.COMMIT, all, left.subList(1, left.size()), trouble.orElse(note));
  }

  /** The bucket that is being moved has arrived. */
  public RebalanceState arrived(long blockedMillis) {
    List<Moved> all = new ArrayList<>(moves);
    Moved last = all.remove(all.size() - 1);
    all.add(last.with(last.files, last.bytes, last.missing, blockedMillis));
    return with(Phase.BEGIN, all, left, note);
  }

  /** The bucket that was being moved is elsewhere. */
  public RebalanceState strayed() {
    return with(Phase.BEGIN, moves.subList(0, moves.size() - 1), left, note);
  }

  /** There is nothing more to do. */
  public RebalanceState done() {
    return with(Phase.DONE, moves, List.of(), note);
  }

  /** It is given up. */
  public RebalanceState aborted(String why) {
    return with(Phase.ABORTED, moves, List.of(), why);
  }

  /** An administrator has stopped it. */
  public RebalanceState stopped(String why) {
    return with(Phase.STOPPED, moves, List.of(), why);
  }

  /** How long writes of all that was moved were held up, in milliseconds. */
  public long blockedMillis() {
    return moves.stream().mapToLong(Moved::blockedMillis).sum();
  }

  /** How many index files the buckets that were moved should have had and had not. */
  public int missing() {
    return moves.stream().mapToInt(Moved::missing).sum();
  }

  /** How many buckets have moved to the end. */
  public int moved() {
    return moves.size() - (phase == Phase.COMMIT ? 1 : 0);
  }

  /** The wire form, which is also what is written. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    request.write(out);
    out.writeUTF(user);
    out.writeLong(since);
    out.writeByte(phase.ordinal());
    Frame.writeList(out, moves, RebalanceState::write);
    Frame.writeList(out, left, RebalanceState::write);
    out.writeUTF(note);
    Frame.writeList(out, regions, DataOutputStream::writeUTF);
    out.writeBoolean(will.isPresent());
    if (will.isPresent()) {
      Frame.writeList(out, will.get().staying, RebalanceRequest::write);
      out.writeLong(will.get().since);
    }
  }

  private static void write(DataOutputStream out, Moved moved) throws IOException {
    write(out, moved.bucket);
    RebalanceRequest.write(out, moved.from);
    RebalanceRequest.write(out, moved.to);
    out.writeInt(moved.files);
    out.writeLong(moved.bytes);
    out.writeInt(moved.missing);
    out.writeLong(moved.blockedMillis);
  }

  /** Reads the wire form. */
  public static RebalanceState decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("rebalance state", MAGIC, OLDEST, VERSION, bytes, RebalanceState::read);
  }

  private static RebalanceState read(DataInputStream in, int version) throws IOException {
    RebalanceRequest request = RebalanceRequest.read(in);
    String user = Frame.readUtf(in);
    long since = in.readLong();
    int phase = in.readUnsignedByte();
    if (phase >= Phase.values().length) {
      throw new CorruptFrameException("unknown phase " + phase);
    }
    List<Moved> moves = Frame.readList(in, LEAST_MOVED, RebalanceState::readMoved);
    if (phase == Phase.COMMIT.ordinal() && moves.isEmpty()) {
      throw new CorruptFrameException("a bucket is moved, but not said which");
    }
    List<Moved> left = Frame.readList(in, LEAST_MOVED, RebalanceState::readMoved);
    String note = Frame.readUtf(in);
    boolean more = version > OLDEST;
    return new RebalanceState(
        request,
        user,
        since,
        Phase.values()[phase],
        moves,
        left,
        note,
        more ? Frame.readList(in, Frame.LEAST_UTF, Frame::readUtf) : List.of(),
        more && in.readBoolean() ? Optional.of(readWill(in)) : Optional.empty());
  }

  private static Will readWill(DataInputStream in) throws IOException {
    return new Will(Frame.readList(in, Frame.LEAST_UTF, RebalanceRequest::server), in.readLong());
  }

  static void write(DataOutputStream out, Bucket bucket) throws IOException {
    out.writeInt(bucket.bits());
    out.writeByte(bucket.depth());
  }

  private static Moved readMoved(DataInputStream in) throws IOException {
    return new Moved(
        bucket(in),
        RebalanceRequest.server(in),
        RebalanceRequest.server(in),
        in.readInt(),
        in.readLong(),
        in.readInt(),
        in.readLong());
  }

  static Bucket bucket(DataInputStream in) throws IOException {
    try {
      return new Bucket(in.readInt(), in.readUnsignedByte());
    } catch (InvalidBucketsException e) {
      throw new CorruptFrameException(e.getMessage());
    }
  }
}
