package io.spyhop.server.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * The operations of a batch that will be stored. A batch still shows those that have failed (a
 * family that does not exist, a timestamp that is too far ahead) and those that another observer
 * has bypassed. Stateless.
 */
public final class BatchOperations {
  private BatchOperations() {}

  /**
   * Takes a mutation that will be stored.
   *
   * @param <E> what it throws
   */
  @FunctionalInterface
  public interface Visitor<E extends Exception> {
    /**
     * @param mutation a put or delete
     * @param client the client's operation: the mutation itself, or the one that a coprocessor has
     *     added the mutation to, which is stored with the client's durability and TTL
     */
    void visit(Mutation mutation, Mutation client) throws E;
  }

  /**
   * Visits what will be stored, in the order in which it will be. Increments and appends show what
   * they add there, not what is stored, and are left out.
   */
  public static <E extends Exception> void forEach(
      MiniBatchOperationInProgress<Mutation> batch, Visitor<E> visitor) throws E {
    for (int i = 0; i < batch.size(); i++) {
      if (!isPending(batch, i)) {
        continue;
      }
      Mutation client = batch.getOperation(i);
      if (client instanceof Put || client instanceof Delete) {
        visitor.visit(client, client);
      }
      Mutation[] others = batch.getOperationsFromCoprocessors(i);
      for (int j = 0; others != null && j < others.length; j++) {
        visitor.visit(others[j], client);
      }
    }
  }

  /** Whether an operation will be stored, as far as is known. */
  public static boolean isPending(MiniBatchOperationInProgress<Mutation> batch, int i) {
    return batch.getOperationStatus(i).getOperationStatusCode() == OperationStatusCode.NOT_RUN;
  }

  /** HBase does so for what clients send, but for what coprocessors add only after its hook. */
  public static void resolveTimestamps(Mutation mutation) throws IOException {
    long now = EnvironmentEdgeManager.currentTime();
    for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
      for (Cell c : cells) {
        if (c.getTimestamp() == HConstants.LATEST_TIMESTAMP) {
          PrivateCellUtil.setTimestamp(c, now);
        }
      }
    }
  }

  /**
   * Has log and memstore tell the same of rows that a batch writes more than once. A cell that goes
   * into the log, and a later one of the same row, column and timestamp that does not: the memstore
   * keeps the later one, and what a server that is lost leaves behind is the earlier. So the later
   * operation goes into the log, too, as is always allowed.
   *
   * @return whether anything is still not logged
   */
  public static boolean logAlike(
      MiniBatchOperationInProgress<Mutation> batch, TableDescriptor table) {
    if (!isAny(batch, c -> !isLogged(c, table))) {
      return false;
    }
    if (isAny(batch, c -> isLogged(c, table))) {
      logRowsAlike(batch, table);
    }
    return isAny(batch, c -> !isLogged(c, table));
  }

  private static boolean isAny(
      MiniBatchOperationInProgress<Mutation> batch, Predicate<Mutation> wanted) {
    for (int i = 0; i < batch.size(); i++) {
      if (isPending(batch, i) && wanted.test(batch.getOperation(i))) {
        return true;
      }
    }
    return false;
  }

  private static void logRowsAlike(
      MiniBatchOperationInProgress<Mutation> batch, TableDescriptor table) {
    Set<byte[]> logged = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < batch.size(); i++) {
      if (isPending(batch, i)) {
        Mutation client = batch.getOperation(i);
        List<byte[]> rows = rows(batch, i);
        if (!isLogged(client, table) && rows.stream().anyMatch(logged::contains)) {
          client.setDurability(Durability.SYNC_WAL);
        }
        if (isLogged(client, table)) {
          logged.addAll(rows);
        }
      }
    }
  }

  private static List<byte[]> rows(MiniBatchOperationInProgress<Mutation> batch, int i) {
    List<byte[]> rows = new ArrayList<>();
    rows.add(batch.getOperation(i).getRow());
    Mutation[] others = batch.getOperationsFromCoprocessors(i);
    for (int j = 0; others != null && j < others.length; j++) {
      rows.add(others[j].getRow());
    }
    return rows;
  }

  private static boolean isLogged(Mutation client, TableDescriptor table) {
    Durability own = client.getDurability();
    Durability effective = own == Durability.USE_DEFAULT ? table.getDurability() : own;
    return effective != Durability.SKIP_WAL;
  }
}
