package io.spyhop.server.model;

import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.schema.ViewOption;
import io.spyhop.server.hook.Globals;
import io.spyhop.server.testing.Layouts;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;

/** A table with options and indexes drawn from a seed, and the operations on it. */
final class ModelTable implements AutoCloseable {
  /** The TTL of the families that have one, in seconds. */
  static final int LIFETIME = 86_400;

  /** How many versions families keep at the least. */
  private static final int LEAST_VERSIONS = Integer.getInteger("spyhop.versions", 1);

  private final TestCluster cluster;
  private final TableName name;
  private final ModelBuckets buckets;
  private final Table table;
  private final Table stored;
  private final boolean maySelectColumns;
  private final Mutations mutations;
  private final Topology topology;
  private final Optional<ModelSecurity> security;
  private final GlobalIndexes globals;
  private final boolean tidy;

  /** Whether clients give cells timestamps, so that a later HFile may have the older cells. */
  private final boolean dated;

  private final boolean repeats;

  private final HeldScans held;
  private boolean unwatched;
  private long regionChanges;
  private long expiredAmid;

  /** Families that have or had a TTL. */
  private final Set<String> mortal = new TreeSet<>();

  /**
   * @param options of a table with buckets, if it is to be one
   */
  ModelTable(TestCluster cluster, TableName name, Random r, Optional<BucketOptions> options)
      throws IOException {
    this.cluster = cluster;
    this.name = name;
    TableDescriptor descriptor = describe(name, r);
    this.maySelectColumns =
        Arrays.stream(descriptor.getColumnFamilies()).noneMatch(f -> f.isNewVersionBehavior());
    this.buckets = new ModelBuckets(options, cluster, name);
    buckets.createTable(descriptor);
    this.table = buckets.open();
    this.stored = cluster.connection().getTable(name);
    this.mutations = new Mutations(table);
    this.topology =
        new Topology(
            cluster, name, this::overlap, ModelClusters.isRestless(), Optional.of(buckets));
    topology.stopBackgroundCompactions();
    this.security =
        cluster.isSecured() ? Optional.of(new ModelSecurity(cluster, name)) : Optional.empty();
    this.globals = new GlobalIndexes(cluster, name);
    this.held = new HeldScans(this);
    noteLifetimes();
    globals.createFirst(r);
    this.tidy = r.nextBoolean();
    this.repeats = !tidy && !compactsMemory(descriptor);
    this.dated = r.nextInt(3) > 0;
  }

  /**
   * Whether no write leaves entries behind that nothing but a verifier will find: those of values
   * that another one of the same batch has replaced, told in memory alone, and of writes that are
   * lost with their server.
   */
  boolean isTidy() {
    return tidy;
  }

  /**
   * Whether a batch may write a cell twice. Where memory is compacted the two may come into two
   * segments, and HBase does not define which of them a read finds (docs/decisions/0007).
   */
  boolean repeatsCells() {
    return repeats;
  }

  private void noteLifetimes() throws IOException {
    for (ColumnFamilyDescriptor f : descriptor().getColumnFamilies()) {
      if (f.getTimeToLive() != HConstants.FOREVER) {
        mortal.add(f.getNameAsString());
      }
    }
  }

  /** Whether the family has or had a TTL. */
  boolean hadLifetime(byte[] family) {
    return mortal.contains(Bytes.toString(family));
  }

  private static TableDescriptor describe(TableName name, Random r) {
    TableDescriptorBuilder families =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(family("f", r))
            .setColumnFamily(family("g", r));
    if (r.nextInt(4) == 0) {
      families.setValue(StoreFileTrackerFactory.TRACKER_IMPL, "FILE");
    }
    if (r.nextInt(6) == 0) {
      families.setRegionReplication(2);
    }
    TableDescriptor d = families.build();
    for (Column c : Column.values()) {
      if (r.nextInt(5) > 0 || c == Column.A) {
        d = IndexSchema.withIndex(d, index(c, r));
      }
      if (r.nextInt(3) == 0) {
        d = IndexSchema.withIndex(d, statistics(c, r));
      }
    }
    return StoreEngines.declare(d, r);
  }

  private static IndexDefinition statistics(Column c, Random r) {
    return IndexDefinition.builder("s_" + c.name().toLowerCase(Locale.ROOT))
        .kind(IndexKind.STATS)
        .column(c.text())
        .type(c.type())
        .bloom(bloom(r))
        .build();
  }

  private static BloomSize bloom(Random r) {
    return switch (r.nextInt(3)) {
      case 0 -> BloomSize.OFF;
      case 1 -> BloomSize.SIZED_TO_DATA;
      default -> new BloomSize(64 << r.nextInt(5));
    };
  }

  private static IndexDefinition index(Column c, Random r) {
    IndexDefinition.Builder index =
        IndexDefinition.builder("i_" + c.name().toLowerCase(Locale.ROOT))
            .column(c.text())
            .type(c.type())
            .flags(1 + r.nextInt(20));
    if (c == Column.A && r.nextBoolean()) {
      index.range(-2, 5);
    }
    Layout byChance = r.nextInt(3) == 0 ? Layout.CLUSTERING : Layout.COLUMNAR;
    Layout layout = Layouts.asked().orElse(byChance);
    index.layout(layout);
    if (layout == Layout.CLUSTERING && r.nextInt(4) == 0) {
      index.include(
          Arrays.stream(Column.values())
              .filter(i -> Arrays.equals(i.family(), c.family()) && r.nextBoolean())
              .map(i -> ColumnName.parse(i.text()))
              .toList());
    }
    if (r.nextInt(3) == 0) {
      index.bloom(bloom(r));
    }
    return index.build();
  }

  private static boolean compactsMemory(TableDescriptor descriptor) {
    return Arrays.stream(descriptor.getColumnFamilies())
        .map(ColumnFamilyDescriptor::getInMemoryCompaction)
        .anyMatch(policy -> policy != null && policy != MemoryCompactionPolicy.NONE);
  }

  private static ColumnFamilyDescriptor family(String name, Random r) {
    BloomType[] blooms = {BloomType.ROW, BloomType.ROW, BloomType.ROWCOL, BloomType.NONE};
    DataBlockEncoding[] encodings = {
      DataBlockEncoding.NONE, DataBlockEncoding.FAST_DIFF, DataBlockEncoding.ROW_INDEX_V1
    };
    Algorithm[] compressions = {Algorithm.NONE, Algorithm.GZ, Algorithm.SNAPPY};
    KeepDeletedCells[] keep = {
      KeepDeletedCells.FALSE, KeepDeletedCells.FALSE, KeepDeletedCells.TRUE, KeepDeletedCells.TTL
    };
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name));
    if (ModelClusters.isRestless()) {
      MemoryCompactionPolicy[] policies = MemoryCompactionPolicy.values();
      family.setInMemoryCompaction(policies[r.nextInt(policies.length)]);
    }
    DataBlockEncoding encoding = encodings[r.nextInt(encodings.length)];
    if (ViewOption.isReadable(encoding) && r.nextBoolean()) {
      family.setValue(ViewOption.NAME, "true");
    }
    return family
        .setMaxVersions(Math.max(LEAST_VERSIONS, r.nextBoolean() ? 1 : 1 + r.nextInt(4)))
        .setBloomFilterType(blooms[r.nextInt(blooms.length)])
        .setDataBlockEncoding(encoding)
        .setCompressionType(compressions[r.nextInt(compressions.length)])
        .setKeepDeletedCells(keep[r.nextInt(keep.length)])
        .setNewVersionBehavior(r.nextInt(4) == 0)
        .setTimeToLive(r.nextInt(4) == 0 ? LIFETIME : HConstants.FOREVER)
        .setMinVersions(0)
        .setBlocksize(r.nextBoolean() ? 65536 : 1024 + r.nextInt(1000))
        .build();
  }

  TestCluster cluster() {
    return cluster;
  }

  TableName name() {
    return name;
  }

  /** As users have it: of a table with buckets, without the prefixes of its rows. */
  Table table() {
    return table;
  }

  /** As it is stored, and as clients see it that know of no buckets. */
  Table stored() {
    return stored;
  }

  boolean hasBuckets() {
    return buckets.isPresent();
  }

  boolean maySelectColumns() {
    return maySelectColumns;
  }

  TableDescriptor descriptor() throws IOException {
    return cluster.admin().getDescriptor(name);
  }

  /** The local indexes. */
  List<IndexDefinition> indexes() throws IOException {
    return IndexSchema.of(descriptor()).locals().indexes();
  }

  GlobalIndexes globals() {
    return globals;
  }

  /** Has all regions where they are to be. */
  void settle() throws IOException {
    if (topology.settle()) {
      regionsChanged();
    }
  }

  void apply(Operation o) throws IOException {
    settle();
    Random r = new Random(o.seed());
    switch (o.kind()) {
      case PUT_ROW -> put(r, List.of(Operation.put(r, true)));
      case PUT_PART -> put(r, List.of(Operation.put(r, false)));
      case PUT_OLD -> put(r, List.of(Operation.old(r)));
      case PUT_BATCH -> put(r, Operation.batch(r));
      case PUT_EXPIRING -> putExpiring(r);
      case EXPIRE_AMID -> expireAmid(r);
      case INCREMENT, APPEND, CHECK_AND_MUTATE, MUTATE_ROW -> mutations.apply(o.kind(), r);
      case DELETE_ROW, DELETE_FAMILY, DELETE_COLUMN, DELETE_VERSION -> table.delete(o.delete(r));
      case FLUSH -> flush();
      case COMPACT -> Regions.compact(cluster, name, false);
      case MAJOR_COMPACT -> Regions.compact(cluster, name, true);
      case PUT_FAILING, PUT_UNLOGGED, KILL_UNLOGGED, BULK_LOAD_REPAIRED -> untidy(o.kind(), r);
      case BULK_LOAD, SPLIT, MERGE, MOVE, KILL_SERVER -> {
        topology.apply(o.kind(), r);
        regionsChanged();
      }
      case WITHOUT_SPYHOP -> withoutSpyhop(r);
      case ALTER -> alter(r);
      case GRANT -> grant(r);
      case CREATE_INDEX -> createIndex(r);
      case DROP_INDEX -> dropIndex(r);
      case CREATE_STATISTICS -> create(statistics(anyColumn(r), r));
      case DROP_STATISTICS -> drop(IndexSchema.of(descriptor()).statistics().indexes(), r);
      case AWAIT_INDEX -> {
        globals.awaitBuilt();
        Regions.awaitCovered(cluster, name);
      }
      case TRUNCATE -> truncate();
      case RECREATE -> recreate(r);
      case TRUNCATE_REGION -> truncateSome(r);
      case ALTER_ENGINE -> {
        cluster.admin().modifyTable(StoreEngines.alter(descriptor(), r));
        reopened();
      }
      case LATE_WRITER -> writeLate(r);
      case HOLD_SCAN -> held.open(r);
      case DROP_BESIDE -> new DropBeside(this, globals.spyhop()).run(r);
      case PUT_BACK_GLOBAL -> {
        globals.putBack(r, () -> put(r, Operation.batch(r)));
        reopened();
      }
      default -> {
        globals.apply(o.kind(), r);
        security.ifPresent(ModelSecurity::forgetLocations);
      }
    }
    if (!o.kind().leavesRegions()) {
      regionChanges++;
    }
    held.step();
  }

  /** One comes, and stays until the indexes are awaited. */
  private void writeLate(Random r) throws IOException {
    if (!LateWriter.isIn(descriptor())) {
      cluster.admin().modifyTable(LateWriter.add(descriptor()));
      reopened();
    }
    put(r, Operation.batch(r));
  }

  private void reopened() throws IOException {
    topology.awaitRegions(topology.regions().size());
    regionsChanged();
  }

  List<RegionInfo> regions() throws IOException {
    return topology.regions();
  }

  /** Scans of regions in order that were read on when cells had expired. */
  long expiredAmid() {
    return expiredAmid;
  }

  HeldScans held() {
    return held;
  }

  /** Grows with each step after which regions may be others, or elsewhere. */
  long regionChanges() {
    return regionChanges;
  }

  /** Whether HBase changes the table beside the history. */
  boolean isRestless() {
    return ModelClusters.isRestless();
  }

  private void flush() throws IOException {
    Regions.flush(cluster, name);
    if (isRestless()) {
      cluster.admin().compact(name);
    }
  }

  /** A tidy history has a put instead. */
  private void untidy(Operation.Kind kind, Random r) throws IOException {
    if (tidy) {
      put(r, List.of(Operation.put(r, true)));
      return;
    }
    switch (kind) {
      case PUT_FAILING -> new Batches(this).failing(r);
      case PUT_UNLOGGED -> new Batches(this).unlogged(r);
      case KILL_UNLOGGED -> {
        if (r.nextBoolean()) {
          globals.without(r, () -> new Batches(this).unlogged(r));
        } else {
          new Batches(this).unlogged(r);
        }
        Globals.drain(cluster);
        topology.apply(Operation.Kind.KILL_SERVER, r);
        regionsChanged();
      }
      default -> {
        try (RepairBeside repairs = new RepairBeside(this)) {
          topology.apply(kind, r);
        }
      }
    }
  }

  private void withoutSpyhop(Random r) throws IOException {
    unwatched = true;
    topology.withoutSpyhop(
        r,
        () -> {
          put(r, Operation.batch(r));
          table.delete(new Operation(Operation.Kind.DELETE_VERSION, r.nextLong()).delete(r));
          if (r.nextBoolean()) {
            Regions.flush(cluster, name);
          }
          put(r, Operation.batch(r));
        });
    regionsChanged();
  }

  /** Whether a server without Spyhop had regions: nobody lists what it makes obsolete. */
  boolean wasUnwatched() {
    return unwatched;
  }

  private void regionsChanged() throws IOException {
    globals.awaitRegions();
    security.ifPresent(ModelSecurity::forgetLocations);
  }

  private void truncate() throws IOException {
    int regions = topology.regions().size();
    cluster.admin().disableTable(name);
    cluster.admin().truncateTable(name, true);
    topology.awaitRegions(regions);
    regionsChanged();
  }

  /**
   * A table of the same name and descriptor comes in place of this one: nothing that was begun for
   * the one may meet the other. Grants would go with a table; it is truncated where there are some.
   */
  private void recreate(Random r) throws IOException {
    if (security.isPresent()) {
      truncate();
      return;
    }
    held.close(); // with other bits, its scans are refused
    TableDescriptor same = descriptor();
    CompletableFuture<?> beside = buckets.rebalanceBeside(r);
    cluster.admin().disableTable(name);
    cluster.admin().deleteTable(name);
    buckets.createTableAgain(same, r);
    globals.awaitTables();
    topology.awaitRegions(topology.regions().size());
    regionsChanged();
    Awaitility.await("the rebalance of the table before to end")
        .atMost(Duration.ofMinutes(1))
        .until(beside::isDone);
  }

  private void truncateSome(Random r) throws IOException {
    if (TestCluster.truncatesRegions()) {
      truncateRegion(r);
    } else {
      truncate();
    }
  }

  private void truncateRegion(Random r) throws IOException {
    List<RegionInfo> regions = topology.regions();
    byte[] region = regions.get(r.nextInt(regions.size())).getRegionName();
    cluster.admin().truncateRegion(region);
    topology.awaitRegions(regions.size());
    regionsChanged();
  }

  private void put(Random r, List<Put> drawn) throws IOException {
    List<Put> puts = dated ? drawn : drawn.stream().map(Operation::undated).toList();
    if (security.isPresent()) {
      for (Put p : puts) {
        security.get().protect(r, p);
      }
    }
    table.put(repeats ? puts : lastOfEachRow(puts));
  }

  /** What remains of a batch that writes each row once. */
  static <M extends Mutation> List<M> lastOfEachRow(List<M> batch) {
    Map<byte[], M> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    batch.forEach(m -> rows.put(m.getRow(), m));
    return List.copyOf(rows.values());
  }

  /** Two HFiles in each region, of a few rows or of a single cell, that may share rows. */
  private void overlap(Random r) throws IOException {
    for (int i = 0; i < 2; i++) {
      put(r, r.nextInt(3) == 0 ? List.of(Operation.put(r, false)) : Operation.batch(r));
      if (r.nextBoolean()) {
        table.delete(new Delete(Operation.row(r)));
      }
      Regions.flush(cluster, name);
    }
  }

  /** Without access control there is nothing to grant, and a row is written instead. */
  private void grant(Random r) throws IOException {
    if (security.isPresent()) {
      security.get().grant(r);
    } else {
      table.put(Operation.put(r, true));
    }
  }

  /** Options that a family may get under the files that it has. */
  private void alter(Random r) throws IOException {
    String name = r.nextBoolean() ? "f" : "g";
    ColumnFamilyDescriptor now = descriptor().getColumnFamily(Bytes.toBytes(name));
    ColumnFamilyDescriptor drawn = family(name, r);
    boolean lasting = StoreEngines.haveStripes(descriptor());
    cluster
        .admin()
        .modifyColumnFamily(
            this.name,
            ColumnFamilyDescriptorBuilder.newBuilder(drawn)
                .setNewVersionBehavior(now.isNewVersionBehavior())
                .setTimeToLive(lasting ? HConstants.FOREVER : drawn.getTimeToLive())
                .build());
    noteLifetimes();
    reopened();
  }

  /** Access control, where the cluster has it. */
  Optional<ModelSecurity> security() {
    return security;
  }

  /** A cell that lives for a millisecond is awaited: it must not expire between two scans. */
  private void putExpiring(Random r) throws IOException {
    Put put = Operation.put(r, true);
    boolean soon = r.nextBoolean() && !StoreEngines.haveStripes(descriptor());
    table.put(put.setTTL(soon ? 1 : 86_400_000));
    long written = System.currentTimeMillis();
    Awaitility.await("the millisecond to pass")
        .pollInterval(Duration.ofMillis(2))
        .until(() -> System.currentTimeMillis() > written + 3);
  }

  private void expireAmid(Random r) throws IOException {
    if (!isRestless() && !StoreEngines.haveStripes(descriptor())) {
      expiredAmid += new ExpiryAmid(this).run(r);
    }
  }

  private void createIndex(Random r) throws IOException {
    create(index(anyColumn(r), r));
  }

  private static Column anyColumn(Random r) {
    return Column.values()[r.nextInt(Column.values().length)];
  }

  private void create(IndexDefinition index) throws IOException {
    if (IndexSchema.of(descriptor()).index(index.name()).isEmpty()) {
      try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
        spyhop.admin().createIndex(name, index);
      }
    }
  }

  private void dropIndex(Random r) throws IOException {
    List<IndexDefinition> indexes = indexes();
    if (indexes.size() > 1) {
      drop(indexes, r);
    }
  }

  private void drop(List<IndexDefinition> some, Random r) throws IOException {
    if (!some.isEmpty()) {
      try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
        spyhop.admin().dropIndex(name, some.get(r.nextInt(some.size())).name());
      }
    }
  }

  @Override
  public void close() throws IOException {
    held.close();
    cluster.admin().compactionSwitch(true, List.of());
    table.close();
    stored.close();
    buckets.close();
    globals.close();
    if (security.isPresent()) {
      security.get().close();
    }
    cluster.admin().disableTable(name);
    cluster.admin().deleteTable(name);
  }
}
