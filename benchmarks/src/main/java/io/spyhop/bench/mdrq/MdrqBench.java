package io.spyhop.bench.mdrq;

import io.spyhop.bench.Compaction;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.mdrq.Servers.Contents;
import io.spyhop.client.JobSummary;
import io.spyhop.core.schema.Layout;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Measures loading and querying against an unindexed twin that holds the same cells, in one {@link
 * State} after the other: {@link #run}, then {@link #finish}, then {@link #report}.
 */
public final class MdrqBench implements Closeable {
  private static final Duration COMPACTION_LIMIT = Duration.ofMinutes(30);
  private static final double BYTES_PER_MEGABYTE = 1e6;
  private static final long WARMUP_ROWS = 100_000;

  private final Connection connection;
  private final Servers servers;
  private final long rows;
  private final int regions;
  private final Trial trial;
  private final Findings findings = new Findings();
  private Loaded loaded;
  private Loaded first;

  /** Tables that have been loaded. */
  private record Loaded(Load load, long rows, Twins twins, InsertTrial insertion, Row bytes) {}

  /**
   * @param connection to an HBase with Spyhop that has neither table; stays open
   * @param servers of that HBase
   * @param rows orders to load into each table
   * @param regions regions of each table where a state does not say
   * @param trial how often each query is asked
   */
  public MdrqBench(Connection connection, Servers servers, long rows, int regions, Trial trial) {
    this.connection = connection;
    this.servers = servers;
    this.rows = rows;
    this.regions = regions;
    this.trial = trial;
  }

  /**
   * Asks in a state of the data. The tables are loaded for it, unless they are so already.
   *
   * @param layout of the indexes
   * @throws IOException if something fails, or the state does not hold
   */
  public void run(Layout layout, State state, Progress.Factory progress) throws IOException {
    if (!isLoaded(layout) || !loaded.load.equals(state.load())) {
      load(layout, state.load(), progress);
    }
    check();
    findings.addState(describe(state));
    state
        .measurement()
        .run(
            new Scene(state.label(), loaded.twins, loaded.rows, servers, trial, findings),
            progress);
    if (state.load().kept()) {
      check();
    }
  }

  private boolean isLoaded(Layout layout) {
    return loaded != null && loaded.twins.layout() == layout;
  }

  private void load(Layout layout, Load load, Progress.Factory progress) throws IOException {
    boolean warm = isLoaded(layout);
    if (loaded != null) {
      finish();
      drop(loaded.twins);
    }
    if (!warm) {
      // The first writes and index jobs of a JVM are slow; nobody shall pay for them.
      drop(fill(layout, Load.KEY_ORDER, Math.min(WARMUP_ROWS, rows), Progress.NONE).twins);
    }
    loaded = fill(layout, load, load.rows(rows), progress);
    first = first == null ? loaded : first;
  }

  private static void drop(Twins twins) throws IOException {
    twins.drop();
    twins.close();
  }

  private Loaded fill(Layout layout, Load load, long orders, Progress.Factory progress)
      throws IOException {
    int wanted = (int) Math.min(load.regions().orElse(regions), orders);
    Twins twins = new Twins(connection, layout);
    InsertTrial insertion = new InsertTrial(twins, servers, load, orders);
    twins.create(load, orders, wanted);
    insertion.run(progress);
    return new Loaded(load, orders, twins, insertion, weigh(twins));
  }

  private void check() throws IOException {
    for (TableName table : List.of(Twins.PLAIN, Twins.INDEXED)) {
      StateCheck.require(
          table, loaded.load, servers.regions(table), loaded.insertion.unflushedCells());
    }
  }

  private Row describe(State state) {
    List<Contents> contents = servers.regions(Twins.INDEXED);
    long memstores = contents.stream().mapToLong(Contents::memstoreBytes).sum();
    return Row.of("state", state.label())
        .and("layout", loaded.twins.layout().name())
        .and("rows", loaded.rows)
        .and("regions", contents.size())
        .and("hfiles", contents.stream().mapToInt(Contents::hfiles).max().orElse(0))
        .and("memstore_mb", Numbers.rounded(memstores / BYTES_PER_MEGABYTE))
        .and("insert", loaded.insertion.report())
        .and("indexed_after_s", loaded.insertion.indexedAfterSeconds())
        .and("bytes", loaded.bytes);
  }

  /** How much is on disk. */
  private Row weigh(Twins twins) throws IOException {
    List<Contents> contents = servers.regions(Twins.INDEXED);
    return Row.of("base", contents.stream().mapToLong(Contents::hfileBytes).sum())
        .and(twins.indexBytes());
  }

  /**
   * Compacts every region of the indexed table into one HFile, unless it is to stay as it is, and
   * waits for its index files.
   */
  public void finish() throws IOException {
    if (loaded.load.kept()) {
      return;
    }
    try (Admin admin = connection.getAdmin()) {
      admin.majorCompact(Twins.INDEXED);
    }
    Compaction.awaitNone(connection, Twins.INDEXED);
    loaded.twins.admin().waitUntilActive(Twins.INDEXED, COMPACTION_LIMIT);
  }

  /** Everything that was measured. */
  public Row report() throws IOException {
    return Row.of("rows", rows)
        .and("regions", regions)
        .and("insert", first.insertion.report())
        .and("indexed_after_s", first.insertion.indexedAfterSeconds())
        .and("bytes", first.bytes)
        .and("jobs", jobs())
        .and("queries", findings.queries())
        .and("aggregates", findings.aggregates())
        .and("states", findings.states())
        .and("puts", findings.puts());
  }

  /** The index jobs of all loads. */
  public List<JobSummary> jobs() throws IOException {
    return JobSummary.of(loaded.twins.admin().jobs());
  }

  /** The queries whose answers differed. */
  public List<Difference> differences() {
    return findings.differences();
  }

  @Override
  public void close() {
    if (loaded != null) {
      loaded.twins.close();
    }
  }
}
