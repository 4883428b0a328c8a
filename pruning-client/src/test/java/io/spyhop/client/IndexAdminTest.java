package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import com.google.protobuf.ServiceException;
import io.spyhop.client.IndexStatus.State;
import io.spyhop.client.internal.admin.VirtualTime;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.Protocol;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionRequest.Kind;
import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IndexAdminTest {
  private static final String OURS = Integer.toString(Protocol.CURRENT);
  private static final TableName TABLE = FakeCluster.TABLE;
  private static final IndexDefinition PRICE = index("price", "d:price", ValueType.LONG);
  private static final IndexDefinition DATE = index("date", "d:date", ValueType.DATE);

  private final FakeCluster cluster = new FakeCluster();
  private final VirtualTime time = new VirtualTime();
  private final IndexAdmin admin = new IndexAdmin(cluster.connection(), time.poll(), table -> {});
  private final List<Kind> asked = new ArrayList<>();

  private static IndexDefinition index(String name, String column, ValueType type) {
    return IndexDefinition.builder(name).column(column).type(type).build();
  }

  @BeforeEach
  void installed() {
    versions(OURS, OURS, OURS);
    cluster.answers = this::note;
  }

  private Object note(RegionInfo region, RegionRequest request) {
    asked.add(request.kind());
    return null;
  }

  /** What the master and two region servers answer; null if they have no Spyhop. */
  private void versions(String master, String first, String second) {
    ServerName one = ServerName.valueOf("one", 16020, 1);
    ServerName two = ServerName.valueOf("two", 16020, 1);
    cluster.adminMethods =
        Map.of(
            "getMaster", (p, m, a) -> ServerName.valueOf("boss", 16000, 1),
            "getRegionServers", (p, m, a) -> List.of(one, two),
            "coprocessorService",
                (p, m, a) -> channel(a == null ? master : one.equals(a[0]) ? first : second));
  }

  /** What a server does that is asked for its version and does not tell. */
  private void failures(IOException failure) {
    ServerName one = ServerName.valueOf("one", 16020, 1);
    CoprocessorRpcChannel failing =
        FakeCluster.proxy(
            CoprocessorRpcChannel.class,
            Map.of(
                "callBlockingMethod",
                (p, m, a) -> {
                  throw new ServiceException(failure);
                }));
    cluster.adminMethods =
        Map.of(
            "getMaster", (p, m, a) -> ServerName.valueOf("boss", 16000, 1),
            "getRegionServers", (p, m, a) -> List.of(one),
            "coprocessorService", (p, m, a) -> a == null ? channel(OURS) : failing);
  }

  private static CoprocessorRpcChannel channel(String version) {
    Service service =
        ServerCalls.service(
            EnumSet.allOf(Question.Place.class),
            (question, payload, protocol) -> Bytes.toBytes(version),
            (controller, failure) -> {
              throw new UncheckedIOException(failure);
            });
    return FakeCluster.proxy(
        CoprocessorRpcChannel.class,
        Map.of("callBlockingMethod", (p, m, a) -> call(service, version, a)));
  }

  private static Object call(Service service, String version, Object[] arguments)
      throws ServiceException {
    if (version == null) {
      throw new ServiceException(new UnknownProtocolException("SpyhopServer"));
    }
    List<Message> answers = new ArrayList<>();
    service.callMethod((MethodDescriptor) arguments[0], null, (Message) arguments[2], answers::add);
    return answers.get(0);
  }

  @Test
  void changesReopenNothingButTellTheRegions() throws IOException {
    admin.createIndex(TABLE, PRICE);
    admin.createIndex(TABLE, DATE);
    assertThat(admin.listIndexes(TABLE)).containsExactly(DATE, PRICE);
    assertThat(cluster.reopened).containsExactly(false, false);
    assertThat(asked).hasSize(6).containsOnly(Kind.REFRESH);
    admin.dropIndex(TABLE, "price");
    assertThat(admin.listIndexes(TABLE)).containsExactly(DATE);
    assertThat(cluster.reopened).containsExactly(false, false, false);
    assertThat(asked).hasSize(9);
  }

  @Test
  void reopensWhereHBaseDoesNotChangeTheTableOtherwise() throws IOException {
    admin.createIndex(TABLE, PRICE);
    cluster.refusal =
        new HBaseIOException(
            "Can not modify Coprocessor when table modification won't reopen regions");
    admin.createIndex(TABLE, DATE);
    admin.dropIndex(TABLE, "price");
    assertThat(admin.listIndexes(TABLE)).containsExactly(DATE);
    assertThat(cluster.reopened).containsExactly(false, true, true);
    assertThat(asked).as("opened regions need not be told").hasSize(3);
  }

  @Test
  void otherRefusalsFailTheChange() throws IOException {
    admin.createIndex(TABLE, PRICE);
    cluster.refusal = new HBaseIOException("table is being split");
    assertThatThrownBy(() -> admin.createIndex(TABLE, DATE)).hasMessage("table is being split");
    assertThat(cluster.reopened).containsExactly(false);
  }

  @Test
  void severalIndexesAreOneChange() throws IOException {
    admin.createIndexes(TABLE, List.of(PRICE, DATE));
    assertThat(admin.listIndexes(TABLE)).containsExactly(DATE, PRICE);
    assertThat(cluster.reopened).hasSize(1);
    admin.createIndexes(TABLE, List.of());
    assertThat(cluster.reopened).hasSize(1);
  }

  @Test
  void regionsThatCannotBeToldDoNotFailTheChange() throws IOException {
    admin.createIndex(TABLE, PRICE);
    cluster.answers =
        (region, request) -> {
          throw new IOException("network is down");
        };
    admin.createIndex(TABLE, DATE);
    assertThat(admin.listIndexes(TABLE)).hasSize(2);
  }

  @Test
  void refusesWhatCannotBe() throws IOException {
    assertThatThrownBy(() -> admin.createIndex(TableName.valueOf("nowhere"), PRICE))
        .isInstanceOf(TableNotFoundException.class)
        .hasMessageStartingWith("table 'nowhere' does not exist");
    assertThatThrownBy(() -> admin.createIndex(TABLE, index("x", "f:x", ValueType.LONG)))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("has no column family 'f'");
    admin.createIndex(TABLE, PRICE);
    assertThatThrownBy(() -> admin.createIndex(TABLE, PRICE))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("already has an index 'price'");
    assertThatThrownBy(() -> admin.dropIndex(TABLE, "nosuch"))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("has no index 'nosuch'");
    assertThat(cluster.reopened).hasSize(1);
  }

  @Test
  void refusesWhereServersLackSpyhop() {
    versions(null, OURS, null);
    assertThatThrownBy(() -> admin.createIndex(TABLE, PRICE))
        .isInstanceOf(SpyhopNotInstalledException.class)
        .hasMessageStartingWith(
            "Spyhop is not loaded on master boss,16000,1, region server two,16020,1: ")
        .hasMessageContaining("conf/hbase-site-spyhop.xml");
    assertThat(cluster.reopened).isEmpty();
  }

  @Test
  void refusesWhereServersHaveAnotherVersion() {
    versions(OURS, "1", OURS);
    assertThatThrownBy(() -> admin.createIndex(TABLE, PRICE))
        .isInstanceOf(SpyhopNotInstalledException.class)
        .hasMessageContaining("speaks 4 to 6, on region server one,16020,1 (protocol 1): ");
    assertThat(cluster.reopened).isEmpty();
  }

  @Test
  void aServerThatDoesNotSayIsNotTakenForOneWithoutSpyhop() {
    failures(new SocketTimeoutException("no answer in 60000 ms"));
    assertThatThrownBy(() -> admin.createIndex(TABLE, PRICE))
        .isInstanceOf(SpyhopNotInstalledException.class)
        .hasMessage(
            "not every server says whether it runs Spyhop: region server one,16020,1: no answer in"
                + " 60000 ms");
    assertThat(cluster.reopened).isEmpty();
  }

  @Test
  void whoMayNotAskServersMayChangeHisTable() throws IOException {
    failures(
        new RemoteWithExtrasException(
            AccessDeniedException.class.getName(), "Insufficient permissions", true));
    admin.createIndexes(TABLE, List.of(PRICE));
    assertThat(admin.listIndexes(TABLE)).containsExactly(PRICE);
    IndexDefinition global =
        IndexDefinition.builder("date")
            .kind(IndexKind.GLOBAL)
            .column("d:date")
            .type(ValueType.DATE)
            .build();
    assertThatThrownBy(() -> admin.createIndexes(TABLE, List.of(global)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("takes ADMIN on everything");
  }

  @Test
  void saysThatTheMasterIsToBeUpgradedFirst() {
    declareGlobal();
    versions("4", OURS, OURS);
    assertThatThrownBy(() -> admin.rebuildIndex(TABLE, "date"))
        .hasMessageStartingWith(
            "master boss,16000,1 runs a version of Spyhop that does not rebuild")
        .hasMessageContaining("upgrade the master first");
  }

  private byte[] covered(RegionInfo region, int covered) {
    IndexState state =
        new IndexState("price", PRICE.incarnation(), 2, covered, 10, 0, 0, 100, 10, 0, 0, "");
    return new RegionStatus(region.getEncodedName(), "host,16020,1", List.of(state), List.of())
        .encode();
  }

  @Test
  void asksRegionsForTheStatus() throws IOException {
    assertThat(admin.status(TABLE)).isEmpty();
    admin.createIndex(TABLE, PRICE);
    cluster.answers =
        (region, request) -> {
          note(region, request);
          return covered(region, 2);
        };
    assertThat(admin.status(TABLE))
        .singleElement()
        .isEqualTo(
            new IndexStatus.Local(
                PRICE, State.ACTIVE, 3, 3, 6, 6, 30, 0, 0, 300, 30, 0, List.of()));
    assertThat(asked.subList(3, 6)).containsOnly(Kind.STATUS);
  }

  /** Those that answer are heard, and the questions after one in vain wait briefly. */
  @Test
  void aSilentRegionCostsItsOwnAnswer() throws IOException {
    declareGlobal();
    cluster.answers =
        (region, request) ->
            region.getStartKey().length == 0 ? FakeCluster.SILENCE : covered(region, 2);
    cluster.calls =
        (table, row, question, payload) ->
            new BuiltRanges(List.of(new BuiltRanges.Range(new byte[0], new byte[0]))).encode();
    cluster.timeouts.clear();
    List<IndexStatus> status = admin.status(TABLE);
    assertThat(status.get(1))
        .isInstanceOfSatisfying(
            IndexStatus.Local.class,
            local -> {
              assertThat(local.regionsAnswered()).isEqualTo(2);
              assertThat(local.errors()).anyMatch(e -> e.contains("no answer in 20000 ms"));
            });
    assertThat(cluster.timeouts).containsExactly(20_000, 2_000);
    cluster.timeouts.clear();
    assertThatThrownBy(() -> admin.waitUntilActive(TABLE, "price", Duration.ofSeconds(7)))
        .isInstanceOf(TimeoutIOException.class)
        .hasMessageContaining("2 of 3 regions answered");
    assertThat(cluster.timeouts.get(0)).isEqualTo(7_000);
    assertThat(cluster.timeouts).endsWith(5_000).isSortedAccordingTo(Comparator.reverseOrder());
    cluster.timeouts.clear();
    cluster.answers = (region, request) -> FakeCluster.SILENCE;
    admin.regionStatistics(TABLE);
    admin.regionStatistics(TABLE);
    assertThat(cluster.timeouts).as("each is a look of its own").containsExactly(20_000, 20_000);
  }

  /** HBase's client takes the thread's flag away, and says nothing. */
  @Test
  void anInterruptIsKeptAndNamesTheTable() {
    cluster.answers =
        (region, request) -> {
          throw new InterruptedIOException();
        };
    assertThatThrownBy(() -> admin.regionStatistics(TABLE))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("interrupted while asking the regions of table 'orders'");
    assertThat(Thread.interrupted()).isTrue();
  }

  private void declareGlobal() {
    IndexDefinition date =
        IndexDefinition.builder("date")
            .kind(IndexKind.GLOBAL)
            .column("d:date")
            .type(ValueType.DATE)
            .build();
    cluster.descriptor =
        IndexSchema.withIndex(IndexSchema.withIndex(cluster.descriptor, PRICE), date);
    cluster.answers = (region, request) -> covered(region, 2);
  }

  /** The states, and what is said of the global index. */
  private void shouldSay(String error) throws IOException {
    List<IndexStatus> status = admin.status(TABLE);
    assertThat(status)
        .extracting(IndexStatus::name, IndexStatus::state)
        .containsExactly(tuple("date", State.BUILDING), tuple("price", State.ACTIVE));
    assertThat(status.get(0).errors()).containsExactly(error);
  }

  @Test
  void anIndexThatDoesNotAnswerDoesNotHideTheOthers() throws IOException {
    declareGlobal();
    cluster.calls =
        (table, row, question, payload) -> {
          throw new NotServingRegionException(table + " is not online");
        };
    shouldSay("its table '_spyhop.orders.date' does not answer: _spyhop.orders.date is not online");
  }

  @Test
  void anIndexThatMayNotAnswerDoesNotHideTheOthers() throws IOException {
    declareGlobal();
    cluster.adminMethods =
        Map.of(
            "getDescriptor",
            (p, m, a) -> {
              if (TABLE.equals(a[0])) {
                return cluster.descriptor;
              }
              throw new AccessDeniedException("the index table is the servers'");
            });
    cluster.calls =
        (table, row, question, payload) -> {
          throw new AccessDeniedException("you may not read all of d:date");
        };
    shouldSay("you may not read all of d:date");
  }

  @Test
  void regionsTellTheIndexesToWhoMayOnlyRead() throws IOException {
    declareGlobal();
    cluster.adminMethods =
        Map.of(
            "getDescriptor",
            (p, m, a) -> {
              throw new AccessDeniedException("Insufficient permissions");
            });
    shouldSay("the index has no table '_spyhop.orders.date': rebuild it (spyhop index rebuild)");
  }

  @Test
  void waitsUntilActive() throws IOException {
    admin.waitUntilActive(TABLE, Duration.ZERO);
    admin.createIndex(TABLE, PRICE);
    cluster.answers = (region, request) -> covered(region, time.nanos() > 1_000_000_000L ? 2 : 1);
    admin.waitUntilActive(TABLE, Duration.ofMinutes(1));
    assertThat(Duration.ofNanos(time.nanos())).isEqualTo(Duration.ofMillis(1100));
  }

  @Test
  void waitsForOneIndex() throws IOException {
    declareGlobal();
    admin.waitUntilActive(TABLE, "price", Duration.ZERO);
    assertThatThrownBy(() -> admin.waitUntilActive(TABLE, "date", Duration.ofSeconds(1)))
        .isInstanceOf(TimeoutIOException.class)
        .hasMessageStartingWith("table 'orders': index 'date' is not active within 1000 ms: ");
    assertThatThrownBy(() -> admin.waitUntilActive(TABLE, "nosuch", Duration.ZERO))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("has no index 'nosuch'");
  }

  @Test
  void saysHowFarItIsWhenTheTimeIsUp() throws IOException {
    admin.createIndex(TABLE, PRICE);
    cluster.answers =
        (region, request) -> region.getStartKey().length == 0 ? null : covered(region, 1);
    assertThatThrownBy(() -> admin.waitUntilActive(TABLE, Duration.ofSeconds(3)))
        .isInstanceOf(TimeoutIOException.class)
        .hasMessage(
            "table 'orders': not all indexes are active within 3000 ms: index 'price' BUILDING: 2 of"
                + " 4 HFiles covered, 2 of 3 regions answered (1 region has nothing to say: is"
                + " Spyhop installed on their servers?); wait longer, or look at"
                + " the status");
  }
}
