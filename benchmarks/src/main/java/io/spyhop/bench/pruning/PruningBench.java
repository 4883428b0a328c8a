package io.spyhop.bench.pruning;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.tpcds.TpcdsTable;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.BloomSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;

/** Measures partition pruning as section 6 of the paper does, on one cluster. */
public final class PruningBench {
  /** The load with all data in HFiles and no writes. */
  public static final String READ_ONLY = "read-only";

  /** The load with writes at the usual rate. */
  public static final String WRITE = "write";

  /** Loads with a percentage of the rows in the memstore begin with this. */
  public static final String MEMSTORE = "memstore-";

  /** Loads with regions of a size begin with this. */
  public static final String PARTITIONS = "partitions-";

  /** Loads with a rate of writes begin with this. */
  public static final String WRITES = "write-";

  private static final int MORE_ROUNDS = 2;

  /** Off: HBase's memory of a memstore with any row is 2 MB, of 1,000 regions all a heap has. */
  private static final String ALLOCATION_BUFFERS = "hbase.hregion.memstore.mslab.enabled";

  private final BenchCluster.Source clusters;
  private final Settings settings;

  /** Sets it up; starts nothing. */
  public PruningBench(BenchCluster.Source clusters, Settings settings) {
    this.clusters = clusters;
    this.settings = settings;
  }

  /** Measures everything. */
  public Row run(Progress.Factory progress) throws IOException {
    try (BenchCluster cluster = clusters.start(Map.of(ALLOCATION_BUFFERS, "false"));
        Spyhop spyhop = Spyhop.connect(cluster.connection());
        Throughput throughput = new Throughput()) {
      Placement.freeze(cluster.connection());
      Declarations declarations = new Declarations(spyhop.admin(), settings.bloomBits());
      Run run = new Run(cluster, declarations, throughput, progress);
      return run.report();
    }
  }

  /** One run on a cluster. */
  private final class Run {
    private final BenchCluster cluster;
    private final Declarations declarations;
    private final Throughput throughput;
    private final Progress.Factory progress;
    private final List<Row> measured = new ArrayList<>();

    Run(
        BenchCluster cluster,
        Declarations declarations,
        Throughput throughput,
        Progress.Factory progress) {
      this.cluster = cluster;
      this.declarations = declarations;
      this.throughput = throughput;
      this.progress = progress;
    }

    private Configuration conf() {
      return cluster.connection().getConfiguration();
    }

    Row report() throws IOException {
      List<Row> scale = scale();
      return (settings.paper() ? all() : Row.of("queries", List.of()).and("settings", settings))
          .and("scale", scale);
    }

    /** Tables of very many regions: the simulated one asks no cluster. */
    private List<Row> scale() throws IOException {
      List<Row> rows = new ArrayList<>();
      if (settings.regions() > 0) {
        RegionsTrial real =
            new RegionsTrial(cluster.connection(), settings.regions(), settings.bloomBits());
        rows.addAll(real.run(progress, Settings.WRITTEN));
      }
      if (settings.simulated() > 0) {
        BloomSize bloom = new BloomSize(settings.bloomBits());
        rows.addAll(
            new SimulatedTrial(settings.simulated(), bloom).run(progress, Settings.WRITTEN));
      }
      return rows;
    }

    private Row all() throws IOException {
      Dataset data = dataset("", List.of(TpcdsTable.values()));
      data.load(settings.partitionKb(), progress);
      Row sync = new SyncTrial(cluster.connection()).run(progress);
      Row writeCost =
          new WriteCostTrial(cluster.connection(), declarations, settings).run(progress);
      partitionSizes();
      try (Client client = new Client(conf(), data)) {
        QueryTrial trial = trial(data, client, Arrays.asList(PaperQuery.values()));
        List<Row> joins = new JoinTrial(cluster.connection(), data, client, settings).run(progress);
        ChangingRows rows = new ChangingRows(data);
        loads(data, rows, trial);
        List<Row> intervals =
            new IntervalTrial(cluster.connection(), data, rows, throughput, settings).run(progress);
        List<Row> spaces = spaces(data, client);
        Row cacheBytes = Row.of(new TreeMap<>(cacheBytes(spaces)));
        List<Row> indexes = new IndexTrial(cluster, data).run(client);
        Row all =
            Row.of("measured", measured)
                .and("sync", sync)
                .and("write_cost", writeCost)
                .and("cache_bytes", cacheBytes)
                .and("spaces", spaces)
                .and("syncs", intervals)
                .and("joins", joins)
                .and("indexes", indexes)
                .and("settings", settings);
        return Row.of("queries", measured.stream().map(m -> m.row("query")).toList())
            .and("sync", sync)
            .and("cache_bytes", cacheBytes)
            .and("intervals", intervals)
            .and("joins", joins)
            .and("all", all);
      }
    }

    private static Map<String, Object> cacheBytes(List<Row> spaces) {
      return spaces.stream().collect(Collectors.toMap(s -> s.text("table"), s -> s.at("cached")));
    }

    private Dataset dataset(String prefix, List<TpcdsTable> tables) {
      return new Dataset(cluster.connection(), declarations::declare, settings, prefix, tables);
    }

    /** A trial that is warm. */
    private QueryTrial trial(Dataset data, Client client, List<PaperQuery> queries)
        throws IOException {
      List<TableScan> scans =
          Stream.concat(
                  queries.stream().flatMap(q -> instances(q).stream()).flatMap(List::stream),
                  PaperQuery.UNPRUNABLE.stream().filter(s -> data.tables().contains(s.table())))
              .toList();
      Oracle oracle = Oracle.ask(cluster.connection(), data, scans);
      QueryTrial trial = new QueryTrial(cluster, data, client, oracle, throughput, settings);
      for (PaperQuery query : queries) {
        trial.warmUp(instances(query));
      }
      return trial;
    }

    private List<List<TableScan>> instances(PaperQuery query) {
      return query.instances(Settings.INSTANCES);
    }

    private void loads(Dataset data, ChangingRows rows, QueryTrial trial) throws IOException {
      queries("Reading", trial, READ_ONLY);
      unprunable(trial);
      measured.addAll(
          new WritesTrial(cluster.connection(), data, rows, trial, settings).run(progress));
      int before = 0;
      for (int percent : settings.memstorePercents()) {
        data.rewrite(before, percent);
        queries("Memstore " + percent + "%", trial, MEMSTORE + percent);
        before = percent;
      }
      data.compact();
    }

    private void queries(String task, QueryTrial trial, String load) throws IOException {
      try (Progress shown = progress.start(task, PaperQuery.values().length)) {
        for (PaperQuery query : PaperQuery.values()) {
          measured.add(trial.run(query.title(), load, instances(query), settings.rounds()));
          shown.step(1);
        }
      }
    }

    /** Where no region can be left out. */
    private void unprunable(QueryTrial trial) throws IOException {
      for (TableScan scan : PaperQuery.UNPRUNABLE) {
        measured.add(
            trial.run(
                scan.table().tableName(),
                READ_ONLY,
                List.of(List.of(scan)),
                MORE_ROUNDS * settings.rounds()));
      }
    }

    private void partitionSizes() throws IOException {
      List<PaperQuery> queries = List.of(PaperQuery.Q55);
      for (int size : settings.partitionSizes()) {
        Dataset data = dataset("p" + size + "_", List.of(TpcdsTable.DATE_DIM, TpcdsTable.ITEM));
        data.load(size, progress);
        try (Client client = new Client(conf(), data)) {
          QueryTrial trial = trial(data, client, queries);
          measured.add(
              trial.run(
                  PaperQuery.Q55.title(),
                  PARTITIONS + size + "k",
                  instances(PaperQuery.Q55),
                  settings.rounds()));
        }
        data.drop();
      }
    }

    private List<Row> spaces(Dataset data, Client client) throws IOException {
      List<Row> rows = new ArrayList<>();
      try (Admin admin = cluster.connection().getAdmin()) {
        for (TpcdsTable table : data.tables()) {
          int regions = admin.getRegions(data.name(table)).size();
          rows.add(
              Row.of("table", table.tableName())
                  .and("regions", regions)
                  .and("cached", client.counters(table).cacheBytes())
                  .and("formula", CacheFormula.bytes(table, regions, settings.bloomBits()))
                  .and("paper", CacheFormula.PAPER.get(table.tableName())));
        }
      }
      return rows;
    }
  }
}
