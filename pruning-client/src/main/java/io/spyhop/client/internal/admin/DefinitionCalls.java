package io.spyhop.client.internal.admin;

import com.google.common.base.Throwables;
import io.spyhop.client.internal.admin.LastKnown.Asker;
import io.spyhop.client.internal.global.Refusals;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.TableDefinitions;
import io.spyhop.core.wire.CorruptFrameException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
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
 * silent, or whose server knows nothing of definitions, does not stand in the way as long as
 * another one answers. Thread-safe.
 */
public final class DefinitionCalls {
  /** How long one region is waited for while there are others to ask. */
  private static final int PATIENCE_MILLIS = 3_000;

  /** How many regions may be silent before no more are asked. */
  private static final int SILENT = 4;

  /** How many regions are asked at most: those that have nothing to say do so at once. */
  private static final int ASKED = 32;

  /** How long regions that have nothing to say are not asked again. */
  private static final long LEFT_ALONE_NANOS = Duration.ofMinutes(1).toNanos();

  private static final byte[] FIRST = {};
  private static final Logger LOG = LoggerFactory.getLogger(DefinitionCalls.class);

  private final Connection connection;
  private final TableName table;
  private final LongSupplier nanoTime;

  /** A row of the region that answered last. */
  private volatile byte[] answering = FIRST;

  /** From when on regions are asked; later than now if they had nothing to say. */
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
   * @param asker who asks: AGAIN has the region read the table's descriptor first, and BESIDE waits
   *     for no region that is silent if all are
   * @param sending run before each question that is sent; the last of them is answered
   * @throws TableNotFoundException if there is no such table; the message names it
   * @throws AccessDeniedException if the caller may read nothing of the table
   */
  public TableDefinitions ask(Asker asker, Runnable sending) throws IOException {
    try {
      if (nanoTime.getAsLong() - askRegionsFrom < 0) {
        return described(sending);
      }
      return new Asking(asker, sending).definitions();
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

  /** One question, which regions are asked one after the other. Not thread-safe. */
  private final class Asking {
    private final RegionRequest request;
    private final boolean patient;
    private final Runnable sending;
    private final List<IOException> silence = new ArrayList<>();

    /** A row of the first region that was silent; null if none was. */
    private byte[] silent;

    /** Whether a region had nothing to say: its server is without Spyhop or an earlier version. */
    private boolean knowsNothing;

    Asking(Asker asker, Runnable sending) {
      byte[] payload = asker == Asker.AGAIN ? TableDefinitions.AGAIN : TableDefinitions.KNOWN;
      this.request = new RegionRequest(RegionRequest.Kind.DEFINITIONS, payload);
      this.patient = asker != Asker.BESIDE;
      this.sending = sending;
    }

    /** What a region says, or else the master; if that does not either, who was silent is heard. */
    TableDefinitions definitions() throws IOException {
      Optional<TableDefinitions> told = anyRegion();
      if (told.isEmpty() && !knowsNothing) {
        told = patiently(silence.get(0));
      }
      return told.isPresent() ? told.get() : byMaster();
    }

    private TableDefinitions byMaster() throws IOException {
      try {
        TableDefinitions described = described(sending);
        if (silent == null) {
          askRegionsFrom = nanoTime.getAsLong() + LEFT_ALONE_NANOS;
        }
        return described;
      } catch (TableNotFoundException e) {
        throw e;
      } catch (IOException e) {
        return patiently(nobodyTells(e)).orElseThrow(() -> e);
      }
    }

    /** The master's refusal alone would not say that it was the last to be asked. */
    private IOException nobodyTells(IOException e) {
      if (!(e instanceof AccessDeniedException)) {
        return e;
      }
      String why =
          silence.isEmpty()
              ? "is Spyhop installed on their servers?"
              : Refusals.text(silence.get(0));
      AccessDeniedException clear =
          new AccessDeniedException(
              "no region of table '"
                  + table
                  + "' tells which columns and indexes are declared ("
                  + why
                  + "), and the master does not: "
                  + Refusals.text(e));
      clear.initCause(e);
      return clear;
    }

    /** What the first region says that answers; empty if none does. */
    private Optional<TableDefinitions> anyRegion() throws IOException {
      byte[] first = answering;
      try (Table brief =
          connection
              .getTableBuilder(table, null)
              .setOperationTimeout(PATIENCE_MILLIS)
              .setReadRpcTimeout(PATIENCE_MILLIS)
              .build()) {
        Optional<TableDefinitions> told = briefly(brief, first);
        if (told.isPresent()) {
          return told;
        }
        for (byte[] row : others(first)) {
          told = briefly(brief, row);
          if (told.isPresent() || silence.size() == SILENT) {
            return told;
          }
        }
        return told;
      }
    }

    private Optional<TableDefinitions> briefly(Table brief, byte[] row) throws IOException {
      try {
        Optional<TableDefinitions> told = region(brief, row);
        knowsNothing |= told.isEmpty();
        return told;
      } catch (IOException e) {
        silence.add(requireSilence(e));
        silent = silent == null ? row : silent;
        return Optional.empty();
      }
    }

    /**
     * What the first region says that was silent, as long as the connection waits for it.
     *
     * @param otherwise is thrown if none was, and if nobody shall be waited for
     */
    private Optional<TableDefinitions> patiently(IOException otherwise) throws IOException {
      if (silent == null || !patient) {
        throw otherwise;
      }
      LOG.debug("Table {}: nobody else tells, waiting for a region", table, otherwise);
      try (Table open = connection.getTable(table)) {
        return region(open, silent);
      }
    }

    /** Empty if the region has nothing to say, or does not know the question. */
    private Optional<TableDefinitions> region(Table open, byte[] row) throws IOException {
      Get get = request.toGet(row);
      sending.run();
      try {
        Result answer = open.get(get);
        if (answer.isEmpty()) {
          return Optional.empty();
        }
        TableDefinitions told = TableDefinitions.decode(CellUtil.cloneValue(answer.rawCells()[0]));
        answering = row;
        return Optional.of(told);
      } catch (IOException e) {
        if (isTooNew(e)) {
          return Optional.empty();
        }
        throw e;
      }
    }
  }

  /**
   * Regions besides that of a row, by their first rows, each time others; those first that are on
   * other servers than the ones before them.
   */
  private List<byte[]> others(byte[] asked) throws IOException {
    List<HRegionLocation> regions = new ArrayList<>(TableInfo.regions(connection, table));
    Collections.shuffle(regions);
    Set<ServerName> servers = new HashSet<>();
    regions.stream()
        .filter(r -> r.getRegion().containsRow(asked))
        .forEach(r -> servers.add(r.getServerName()));
    List<byte[]> elsewhere = new ArrayList<>();
    List<byte[]> here = new ArrayList<>();
    for (HRegionLocation r : regions) {
      if (!r.getRegion().containsRow(asked)) {
        (servers.add(r.getServerName()) ? elsewhere : here).add(r.getRegion().getStartKey());
      }
    }
    elsewhere.addAll(here);
    return elsewhere.subList(0, Math.min(ASKED - 1, elsewhere.size()));
  }

  private static boolean isTooNew(IOException e) {
    return Throwables.getCausalChain(e).stream().anyMatch(CorruptFrameException.class::isInstance);
  }

  /** Throws what no other region would answer otherwise. */
  private static IOException requireSilence(IOException e) throws IOException {
    boolean interrupted = Thread.currentThread().isInterrupted();
    if (e instanceof TableNotFoundException
        || e instanceof TableNotEnabledException
        || e instanceof AccessDeniedException
        || interrupted) {
      throw interrupted && !(e instanceof InterruptedIOException)
          ? (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e)
          : e;
    }
    return e;
  }
}
