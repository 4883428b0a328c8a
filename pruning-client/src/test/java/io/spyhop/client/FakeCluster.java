package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import com.google.protobuf.ServiceException;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.TableDefinitions;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One table with regions at "", "g" and "p", as far as the client sees it: scans with filters and
 * selections, requests to regions, descriptors, region lists. What regions answer is up to the
 * test.
 */
final class FakeCluster {
  static final TableName TABLE = TableName.valueOf("orders");
  static final ServerName SERVER = ServerName.valueOf("host", 16020, 1);

  /** A region's answer: bytes, null for nothing, or an exception. */
  @FunctionalInterface
  interface Regions {
    Object answer(RegionInfo region, RegionRequest request) throws Exception;
  }

  private final NavigableMap<byte[], List<Cell>> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  final List<RegionInfo> regions = new ArrayList<>();
  final ConcurrentLinkedQueue<Scan> scans = new ConcurrentLinkedQueue<>();
  final List<Get> gets = new ArrayList<>();
  final List<Get> rowGets = new ArrayList<>();
  final List<Delete> deletes = new ArrayList<>();
  final List<Boolean> reopened = new ArrayList<>();
  final AtomicInteger openScanners = new AtomicInteger();

  /** How many rows scanners have handed out. */
  final AtomicInteger scannedRows = new AtomicInteger();

  final AtomicInteger descriptorReads = new AtomicInteger();
  volatile TableDescriptor descriptor =
      TableDescriptorBuilder.newBuilder(TABLE)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("e"))
          .build();

  /** Why a region, by its first row, does not tell the table's definitions; null if it does. */
  volatile Function<String, IOException> silence = region -> null;

  /** Regions, by their first rows, whose servers are without Spyhop: they have nothing to say. */
  volatile Set<String> ignorant = Set.of();

  /** The regions that were asked for the definitions, by their first rows. */
  final ConcurrentLinkedQueue<String> definitionGets = new ConcurrentLinkedQueue<>();

  /** How many of these questions had the descriptor read again. */
  final AtomicInteger definitionsAgain = new AtomicInteger();

  /** Why a scan fails when its first row is asked for; null if it does not. */
  volatile Function<Scan, IOException> brokenScans = scan -> null;

  /** The answer of a table's region to a call of Spyhop's service. */
  @FunctionalInterface
  interface Calls {
    byte[] answer(TableName table, byte[] row, Question question, byte[] payload)
        throws IOException;
  }

  volatile Calls calls =
      (table, row, question, payload) -> {
        throw new TableNotFoundException(table);
      };

  final Configuration configuration = new Configuration(false);

  /** A path by which one row is not found. */
  volatile String lossyPath = "";

  volatile String lostRow = "";

  /** How changes without reopening are refused, if they are. */
  IOException refusal;

  /** The answer of a region that gives none before the time is up. */
  static final Object SILENCE = new Object();

  Regions answers = (region, request) -> null;

  /** How long questions waited for all regions, in milliseconds. */
  final List<Integer> timeouts = new CopyOnWriteArrayList<>();

  Map<String, InvocationHandler> adminMethods = Map.of();

  FakeCluster() {
    splitAt(Bytes.toBytes(""), Bytes.toBytes("g"), Bytes.toBytes("p"));
  }

  /** Stores a cell. */
  void put(String row, String column, byte[] value) {
    put(Bytes.toBytes(row), column, value);
  }

  /** Stores a cell. */
  void put(byte[] row, String column, byte[] value) {
    String[] parts = column.split(":", 2);
    List<Cell> cells = rows.computeIfAbsent(row, r -> new ArrayList<>());
    cells.add(new KeyValue(row, Bytes.toBytes(parts[0]), Bytes.toBytes(parts[1]), 1L, value));
    cells.sort(CellComparator.getInstance());
  }

  /** Has other regions, that begin at these rows. */
  void splitAt(byte[]... starts) {
    regions.clear();
    for (int i = 0; i < starts.length; i++) {
      regions.add(
          RegionInfoBuilder.newBuilder(TABLE)
              .setStartKey(starts[i])
              .setEndKey(i + 1 < starts.length ? starts[i + 1] : new byte[0])
              .setRegionId(1)
              .build());
    }
  }

  Connection connection() {
    return proxy(
        Connection.class,
        Map.of(
            "getAdmin", (p, m, a) -> admin(),
            "getConfiguration", (p, m, a) -> configuration,
            "getTable", (p, m, a) -> table((TableName) a[0]),
            "getTableBuilder", (p, m, a) -> tableBuilder((TableName) a[0]),
            "getRegionLocator", (p, m, a) -> locator()));
  }

  private Admin admin() {
    Map<String, InvocationHandler> methods = new TreeMap<>(adminMethods);
    methods.put("close", (p, m, a) -> null);
    methods.putIfAbsent("getDescriptor", (p, m, a) -> describe((TableName) a[0]));
    methods.putIfAbsent("isTableDisabled", (p, m, a) -> false);
    methods.putIfAbsent("modifyTable", (p, m, a) -> modify((TableDescriptor) a[0], (Boolean) a[1]));
    return proxy(Admin.class, methods);
  }

  private Object modify(TableDescriptor table, boolean reopen) throws IOException {
    if (!reopen && refusal != null) {
      throw refusal;
    }
    descriptor = table;
    reopened.add(reopen);
    return null;
  }

  private TableDescriptor describe(TableName table) throws IOException {
    descriptorReads.incrementAndGet();
    if (!table.equals(TABLE)) {
      throw new TableNotFoundException(table);
    }
    return descriptor;
  }

  private RegionLocator locator() {
    return proxy(
        RegionLocator.class,
        Map.of(
            "close", (p, m, a) -> null,
            "getRegionLocation", (p, m, a) -> new HRegionLocation(regions.get(0), SERVER),
            "getAllRegionLocations",
                (p, m, a) -> regions.stream().map(r -> new HRegionLocation(r, SERVER)).toList()));
  }

  private TableBuilder tableBuilder(TableName name) {
    return proxy(
        TableBuilder.class,
        Map.of(
            "setOperationTimeout",
                (p, m, a) -> {
                  timeouts.add((Integer) a[0]);
                  return p;
                },
            "setReadRpcTimeout", (p, m, a) -> p,
            "build", (p, m, a) -> table(name)));
  }

  private Table table(TableName name) {
    return proxy(
        Table.class,
        Map.of(
            "close", (p, m, a) -> null,
            "getName", (p, m, a) -> name,
            "setOperationTimeout",
                (p, m, a) -> {
                  timeouts.add((Integer) a[0]);
                  return null;
                },
            "setReadRpcTimeout", (p, m, a) -> null,
            "coprocessorService", (p, m, a) -> channel(name, (byte[]) a[0]),
            "getScanner", (p, m, a) -> scanner((Scan) a[0]),
            "get", (p, m, a) -> get(name, (Get) a[0]),
            "delete",
                (p, m, a) -> {
                  deletes.add((Delete) a[0]);
                  return null;
                },
            "batch", (p, m, a) -> batch((List<?>) a[0], (Object[]) a[1])));
  }

  private CoprocessorRpcChannel channel(TableName table, byte[] row) {
    AtomicReference<IOException> failure = new AtomicReference<>();
    Service service =
        ServerCalls.service(
            EnumSet.allOf(Question.Place.class),
            (question, payload, protocol) -> calls.answer(table, row, question, payload),
            (controller, e) -> failure.set(e));
    return proxy(
        CoprocessorRpcChannel.class,
        Map.of(
            "callBlockingMethod",
            (p, m, a) -> {
              AtomicReference<Object> answer = new AtomicReference<>();
              service.callMethod((MethodDescriptor) a[0], null, (Message) a[2], answer::set);
              if (failure.get() != null) {
                throw new ServiceException(failure.get());
              }
              return answer.get();
            }));
  }

  private Result get(TableName table, Get get) throws IOException {
    if (get.getAttribute(Attributes.REQUEST) != null) {
      return definitions(table, get);
    }
    rowGets.add(get);
    return Result.EMPTY_RESULT;
  }

  /** Definitions are asked for with single Gets. */
  private Result definitions(TableName table, Get get) throws IOException {
    TableDefinitions known = TableDefinitions.of(describe(table));
    String region = Bytes.toString(regionOf(get).getStartKey());
    definitionGets.add(region);
    IOException silent = silence.apply(region);
    if (silent != null) {
      throw silent;
    }
    RegionRequest request = RegionRequest.decode(get.getAttribute(Attributes.REQUEST));
    assertThat(request.kind()).isEqualTo(RegionRequest.Kind.DEFINITIONS);
    definitionsAgain.addAndGet(request.payload().length);
    return ignorant.contains(region) ? Result.EMPTY_RESULT : result(get.getRow(), known.encode());
  }

  /** As HBase's client: what has been answered is there when it throws. */
  private Object batch(List<?> actions, Object[] results) throws Exception {
    boolean late = false;
    for (int i = 0; i < results.length; i++) {
      Get get = (Get) actions.get(i);
      gets.add(get);
      Object answer =
          answers.answer(regionOf(get), RegionRequest.decode(get.getAttribute(Attributes.REQUEST)));
      if (answer == SILENCE) {
        late = true;
        continue;
      }
      results[i] = answer instanceof byte[] bytes ? result(get.getRow(), bytes) : answer;
      results[i] = results[i] == null ? Result.EMPTY_RESULT : results[i];
    }
    if (late) {
      throw new SocketTimeoutException("time out before the actionsInProgress changed to zero");
    }
    return null;
  }

  private RegionInfo regionOf(Get get) {
    return regions.stream().filter(r -> r.containsRow(get.getRow())).findFirst().orElseThrow();
  }

  private static Result result(byte[] row, byte[] value) {
    return Result.create(
        List.of(new KeyValue(row, Bytes.toBytes("d"), Bytes.toBytes("answer"), 1L, value)));
  }

  private ResultScanner scanner(Scan scan) throws IOException {
    scans.add(scan);
    List<Result> found = select(scan);
    byte[] hint = scan.getAttribute(Attributes.PATH_HINT);
    if (hint != null && lossyPath.equals(Bytes.toString(hint))) {
      found.removeIf(r -> lostRow.equals(Bytes.toString(r.getRow())));
    }
    Iterator<Result> each = found.iterator();
    openScanners.incrementAndGet();
    return proxy(
        ResultScanner.class,
        Map.of(
            "next",
                (p, m, a) -> {
                  IOException failure = brokenScans.apply(scan);
                  if (failure != null) {
                    throw failure;
                  }
                  scannedRows.addAndGet(each.hasNext() ? 1 : 0);
                  return each.hasNext() ? each.next() : null;
                },
            "close",
                (p, m, a) -> {
                  openScanners.decrementAndGet();
                  return null;
                }));
  }

  private List<Result> select(Scan scan) throws IOException {
    List<Result> found = new ArrayList<>();
    for (Map.Entry<byte[], List<Cell>> row : rows.entrySet()) {
      boolean before = Bytes.compareTo(row.getKey(), scan.getStartRow()) < 0;
      int stop = scan.includeStopRow() ? 1 : 0;
      boolean after =
          scan.getStopRow().length > 0 && Bytes.compareTo(row.getKey(), scan.getStopRow()) >= stop;
      List<Cell> cells = row.getValue().stream().filter(c -> selects(scan, c)).toList();
      if (!before && !after && !cells.isEmpty() && passes(scan.getFilter(), cells)) {
        found.add(Result.create(cells));
      }
      if (scan.getLimit() > 0 && found.size() == scan.getLimit()) {
        break;
      }
    }
    return found;
  }

  private static boolean selects(Scan scan, Cell cell) {
    if (!scan.hasFamilies()) {
      return true;
    }
    byte[] family = CellUtil.cloneFamily(cell);
    NavigableSet<byte[]> qualifiers = scan.getFamilyMap().get(family);
    return scan.getFamilyMap().containsKey(family)
        && (qualifiers == null || qualifiers.contains(CellUtil.cloneQualifier(cell)));
  }

  private static boolean passes(Filter filter, List<Cell> cells) throws IOException {
    if (filter == null) {
      return true;
    }
    filter.reset();
    if (filter.filterRowKey(cells.get(0))) {
      return false;
    }
    for (Cell cell : cells) {
      if (filter.filterCell(cell) != Filter.ReturnCode.INCLUDE) {
        return false;
      }
    }
    return !filter.filterRow();
  }

  /** An interface of which only these methods work, besides its default methods. */
  static <T> T proxy(Class<T> type, Map<String, InvocationHandler> methods) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          InvocationHandler fake = methods.get(method.getName());
          if (fake != null) {
            return fake.invoke(proxy, method, arguments);
          }
          if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
          }
          throw new UnsupportedOperationException(method + Arrays.toString(arguments));
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
