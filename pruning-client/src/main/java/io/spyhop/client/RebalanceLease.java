package io.spyhop.client;

import io.spyhop.client.internal.global.Refusals;
import io.spyhop.core.protocol.RebalanceClaim;
import io.spyhop.core.protocol.ServerCalls;
import java.io.Closeable;
import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to move buckets of a table, which the master gives to one at a time, and takes back
 * from who does not ask for it again within some minutes. A master that takes over gives it to the
 * first that asks. Not thread-safe.
 */
final class RebalanceLease implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RebalanceLease.class);

  private final Admin admin;
  private final RebalanceClaim claim;

  private RebalanceLease(Admin admin, RebalanceClaim claim) {
    this.admin = admin;
    this.claim = claim;
  }

  /**
   * Asks for it.
   *
   * @param admin stays the caller's
   * @throws DoNotRetryIOException if somebody else has it, or if the master's Spyhop knows of no
   *     rebalance
   */
  static RebalanceLease take(Admin admin, TableName table) throws IOException {
    RebalanceLease lease = new RebalanceLease(admin, new RebalanceClaim(table, UUID.randomUUID()));
    lease.renew();
    return lease;
  }

  /** Asks for it again; throws what {@link #take} does, if it was lost. */
  void renew() throws IOException {
    try {
      ask(ServerCalls.CLAIM_QUESTION);
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains(ServerCalls.UNKNOWN_QUESTION)) {
        throw new DoNotRetryIOException(
            "master "
                + admin.getMaster()
                + " runs a version of Spyhop that does not know of rebalances: upgrade it first",
            e);
      }
      throw refused(e);
    }
  }

  private void ask(String question) throws IOException {
    ServerCalls.ask(admin.coprocessorService(), question, claim.encode());
  }

  /** The master's own words, if it refused. */
  private static IOException refused(IOException e) {
    return Refusals.find(e, DoNotRetryIOException.class).<IOException>map(found -> found).orElse(e);
  }

  /** Gives it back; a master that does not hear of it forgets it by itself. */
  @Override
  public void close() {
    try {
      ask(ServerCalls.END_CLAIM_QUESTION);
    } catch (IOException e) {
      LOG.info("The master is not told that the rebalance of {} is over", claim.table(), e);
    }
  }
}
