package io.spyhop.core.protocol;

import io.spyhop.core.bucket.Rebalance.Move;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;

/**
 * The moves of a rebalance that would begin now.
 *
 * @param buckets in the order in which they move
 * @param replicas of buckets, that move when the buckets are where they should be
 */
public record RebalancePlan(List<Move<ServerName>> buckets, List<Replica> replicas) {
  private static final int MAGIC = 0x53505250; // SPRP
  private static final int VERSION = 1;
  private static final int LEAST_MOVE = Integer.BYTES + Byte.BYTES + 2 * Frame.LEAST_UTF;

  /**
   * A region replica of a bucket that changes its server.
   *
   * @param number of the replica; the bucket itself is 0
   */
  public record Replica(int number, Move<ServerName> move) {}

  /** Copies the lists. */
  public RebalancePlan {
    buckets = List.copyOf(buckets);
    replicas = List.copyOf(replicas);
  }

  /** Whether all is where it should be. */
  public boolean isEmpty() {
    return buckets.isEmpty() && replicas.isEmpty();
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(
        MAGIC,
        VERSION,
        out -> {
          Frame.writeList(out, buckets, RebalancePlan::write);
          Frame.writeList(out, replicas, RebalancePlan::write);
        });
  }

  private static void write(DataOutputStream out, Move<ServerName> move) throws IOException {
    RebalanceState.write(out, move.bucket());
    RebalanceRequest.write(out, move.from());
    RebalanceRequest.write(out, move.to());
  }

  private static void write(DataOutputStream out, Replica replica) throws IOException {
    write(out, replica.move);
    out.writeInt(replica.number);
  }

  /** Reads the wire form. */
  public static RebalancePlan decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("rebalance plan", MAGIC, VERSION, bytes, RebalancePlan::read);
  }

  private static RebalancePlan read(DataInputStream in) throws IOException {
    return new RebalancePlan(
        Frame.readList(in, LEAST_MOVE, RebalancePlan::readMove),
        Frame.readList(in, LEAST_MOVE + Integer.BYTES, RebalancePlan::readReplica));
  }

  private static Replica readReplica(DataInputStream in) throws IOException {
    Move<ServerName> move = readMove(in);
    return new Replica(in.readInt(), move);
  }

  private static Move<ServerName> readMove(DataInputStream in) throws IOException {
    return new Move<>(
        RebalanceState.bucket(in), RebalanceRequest.server(in), RebalanceRequest.server(in));
  }
}
