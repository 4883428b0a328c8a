package io.spyhop.client.admin;

import com.google.common.base.Throwables;
import io.spyhop.core.region.RegionRequest;
import io.spyhop.core.region.TableDefinitions;
import io.spyhop.core.wire.CorruptFrameException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a table's regions for its definitions, which takes the right to read something of the table
 * and no master. Any region will do: the one that answered last is asked first, and one that is
 * silent does not stand in the way as long as another one answers. Thread-safe.
 */
public final class DefinitionCalls {
  /** How long one region is waited for while there are others to ask. */
  private static final int PATIENCE_MILLIS = 3_000;

  /** How many others are asked. */
  private static final int OTHERS = 3;

  /** How long servers that do not know the question are not asked it again. */
  private static final long LEFT_ALONE_NANOS = Duration.ofMinutes(1).toNanos();

  private static final byte[] FIRST = {};
  private static final Logger LOG = LoggerFactory.getLogger(DefinitionCalls.class);

  private final Connection connection;
  private final TableName table;
  private final LongSupplier nanoTime;

  /** A row of the region that answered last. */
  private volatile byte[] answering = FIRST;

  /** From when on regions are asked; later than now if a server does not know the question. */
  private volatile long askRegionsFrom;

  /** Calls through a connection, which stays the caller's. */
  public DefinitionCalls(Connection connection, TableName table) {
    this(connection, table, System::nanoTime);
  }

  /**
   * Calls through a connection, which stays the caller's.
   *
   * @param nanoTime a clock in nanoseconds from any origin
   */
  public DefinitionCalls(Connection connection, TableName table, LongSupplier nanoTime) {
    this.connection = connection;
    this.table = table;
    this.nanoTime = nanoTime;
    this.askRegionsFrom = nanoTime.getAsLong();
  }

  /**
   * The definitions, as far as the caller may know them.
   *
   * @param again whether the region shall read the table's descriptor first
   * @param sending run before each question that is sent; the last of them is answered
   * @throws TableNotFoundException if there is no such table; the message names it
   * @throws AccessDeniedException if the caller may read nothing of the table
   */
  public TableDefinitions ask(boolean again, Runnable sending) throws IOException {
    try {
      if (nanoTime.getAsLong() - askRegionsFrom < 0) {
        return described(sending);
      }
      Asking asking = new Asking(again, sending);
      Optional<TableDefinitions> answer = asking.anyRegion();
      if (answer.isPresent()) {
        return answer.get();
      }
      TableDefinitions described = described(sending);
      if (asking.tooNew) {
        askRegionsFrom = nanoTime.getAsLong() + LEFT_ALONE_NANOS;
      }
      return described;
    } catch (TableNotFoundException e) {
      throw TableInfo.noSuchTable(table, e);
    }
  }

  /** As the master has them. If it does not tell them, the next question goes to regions again. */
  private TableDefinitions described(Runnable sending) throws IOException {
    sending.run();
    try {
      return TableDefinitions.of(TableInfo.descriptor(connection, table));
    } catch (IOException e) {
      askRegionsFrom = nanoTime.getAsLong();
      throw e;
    }
  }

  /** One question, which regions are asked one after the other. */
  private final class Asking {
    private final RegionRequest request;
    private final Runnable sending;

    /** Whether a server was of the version before, which does not know the question. */
    private boolean tooNew;

    Asking(boolean again, Runnable sending) {
      byte[] payload = again ? TableDefinitions.AGAIN : TableDefinitions.KNOWN;
      this.request = new RegionRequest(RegionRequest.Kind.DEFINITIONS, payload);
      this.sending = sending;
    }

    /** What the first region says that answers; empty if it has nothing to say. */
    Optional<TableDefinitions> anyRegion() throws IOException {
      byte[] first = answering;
      try (Table patient = connection.getTable(table);
          Table brief =
              connection
                  .getTableBuilder(table, null)
                  .setOperationTimeout(PATIENCE_MILLIS)
                  .setReadRpcTimeout(PATIENCE_MILLIS)
                  .build()) {
        IOException silence;
        try {
          return region(brief, first);
        } catch (IOException e) {
          silence = requireSilence(e);
        }
        for (byte[] row : others(first)) {
          try {
            return region(brief, row);
          } catch (IOException e) {
            if (requireSilence(e) != silence) {
              silence.addSuppressed(e);
            }
          }
        }
        LOG.debug("Table {}: no region answers, waiting for the first one", table, silence);
        return region(patient, first);
      }
    }

    /** Empty if the region has nothing to say, or does not know the question. */
    private Optional<TableDefinitions> region(Table its, byte[] row) throws IOException {
      Get get = request.toGet(row);
      sending.run();
      try {
        Result answer = its.get(get);
        answering = row;
        return answer.isEmpty()
            ? Optional.empty()
            : Optional.of(TableDefinitions.decode(CellUtil.cloneValue(answer.rawCells()[0])));
      } catch (IOException e) {
        if (isTooNew(e)) {
          tooNew = true;
          return Optional.empty();
        }
        throw e;
      }
    }
  }

  /** Some regions besides that of a row, by their first rows, each time others. */
  private List<byte[]> others(byte[] asked) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    for (HRegionLocation region : TableInfo.regions(connection, table)) {
      if (!region.getRegion().containsRow(asked)) {
        rows.add(region.getRegion().getStartKey());
      }
    }
    Collections.shuffle(rows);
    return rows.subList(0, Math.min(OTHERS, rows.size()));
  }

  private static boolean isTooNew(IOException e) {
    return Throwables.getCausalChain(e).stream().anyMatch(CorruptFrameException.class::isInstance);
  }

  /** Throws what no other region would answer otherwise. */
  private static IOException requireSilence(IOException e) throws IOException {
    boolean interrupted = Thread.currentThread().isInterrupted();
    if (e instanceof TableNotFoundException || e instanceof AccessDeniedException || interrupted) {
      throw interrupted && !(e instanceof InterruptedIOException)
          ? (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e)
          : e;
    }
    return e;
  }
}
