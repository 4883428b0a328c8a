package io.spyhop.server.hook;

import io.spyhop.core.global.IndexTable;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SecureBulkLoadClient;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.protobuf.ReplicationProtbufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/** Everything that a client of HBase does to read, write or copy the table of a global index. */
enum IndexTableWays {
  GET((c, index, row) -> index.get(new Get(row))),
  GETS((c, index, row) -> index.get(List.of(new Get(row), new Get(new byte[] {0x00})))),
  EXISTS((c, index, row) -> index.exists(new Get(row))),
  SCAN((c, index, row) -> scan(index, new Scan())),
  SCAN_OF_NOTES((c, index, row) -> scan(index, new Scan().addFamily(IndexTable.CONTROL))),
  REVERSED_SCAN((c, index, row) -> scan(index, new Scan().setReversed(true))),
  PUT((c, index, row) -> index.put(entry(row))),
  PUTS((c, index, row) -> index.put(List.of(entry(row), note()))),
  PUT_OF_A_NOTE((c, index, row) -> index.put(note())),
  DELETE((c, index, row) -> index.delete(new Delete(row))),
  DELETE_OF_A_NOTE((c, index, row) -> index.delete(new Delete(note().getRow()))),
  INCREMENT(
      (c, index, row) ->
          index.increment(new Increment(row).addColumn(IndexTable.ENTRIES, Name.OF, 1))),
  APPEND(
      (c, index, row) ->
          index.append(new Append(row).addColumn(IndexTable.ENTRIES, Name.OF, Name.OF))),
  MUTATIONS((c, index, row) -> index.mutateRow(RowMutations.of(List.of(entry(row))))),
  CHECK_AND_PUT(
      (c, index, row) ->
          index.checkAndMutate(
              CheckAndMutate.newBuilder(row)
                  .ifNotExists(IndexTable.ENTRIES, Name.OF)
                  .build(new Put(row).addColumn(IndexTable.ENTRIES, Name.OF, Name.OF)))),
  CHECKS(
      (c, index, row) ->
          index
              .checkAndMutate(
                  List.of(
                      CheckAndMutate.newBuilder(row)
                          .ifEquals(IndexTable.ENTRIES, Name.OF, Name.OF)
                          .build(new Delete(row))))
              .get(0)),
  PREPARED_LOAD((c, index, row) -> loader(c, index).prepareBulkLoad(c)),
  LOAD((c, index, row) -> load(c, index, null)),
  SECURE_LOAD((c, index, row) -> load(c, index, "/staging")),
  REPLAY(
      (c, index, row) ->
          send(c, index, row, (server, logged, cells) -> server.replay(cells, logged))),
  REPLICATE(
      (c, index, row) ->
          send(c, index, row, (server, logged, cells) -> server.replicateWALEntry(cells, logged))),
  ALTER((c, index, row) -> alter(c, index)),
  SNAPSHOT((c, index, row) -> c.getAdmin().snapshot("taken", index.getName()));

  private final Way way;

  IndexTableWays(Way way) {
    this.way = way;
  }

  /** An operation of a user. */
  @FunctionalInterface
  private interface Way {
    void go(Connection connection, Table index, byte[] row) throws Exception;
  }

  /** The constants cannot use the enum's own. */
  private static final class Name {
    private static final byte[] OF = Bytes.toBytes("other");
  }

  /** Goes this way; {@code row} is that of an entry. */
  void go(Connection connection, Table index, byte[] row) throws Exception {
    way.go(connection, index, row);
  }

  private static void scan(Table index, Scan scan) throws Exception {
    try (ResultScanner rows = index.getScanner(scan)) {
      rows.next();
    }
  }

  private static Put entry(byte[] row) {
    byte[] other = Arrays.copyOf(row, row.length + 1);
    return new Put(other).addColumn(IndexTable.ENTRIES, IndexTable.QUALIFIER, new byte[0]);
  }

  private static Put note() {
    return new Put(new byte[] {0x00, 'z'}).addColumn(IndexTable.CONTROL, Name.OF, Name.OF);
  }

  private static SecureBulkLoadClient loader(Connection c, Table index) {
    return new SecureBulkLoadClient(c.getConfiguration(), index);
  }

  private static void load(Connection c, Table index, String token) throws Exception {
    HRegionLocation at = c.getRegionLocator(index.getName()).getRegionLocation(new byte[0]);
    loader(c, index)
        .secureBulkLoadHFiles(
            ((ClusterConnection) c).getClient(at.getServerName()),
            List.of(new Pair<>(IndexTable.ENTRIES, "/absent/e/hfile")),
            at.getRegion().getRegionName(),
            true,
            null,
            token);
  }

  /** An operation on an edit as it is in a log. */
  @FunctionalInterface
  private interface Sending {
    void send(
        AdminService.BlockingInterface server,
        ReplicateWALEntryRequest logged,
        HBaseRpcController cells)
        throws ServiceException;
  }

  /** As servers and replication peers do with each other's logs. */
  private static void send(Connection c, Table index, byte[] row, Sending way) throws Exception {
    HRegionLocation at = c.getRegionLocator(index.getName()).getRegionLocation(row);
    byte[] region = at.getRegion().getEncodedNameAsBytes();
    WALEdit edit = new WALEdit();
    entry(row).getFamilyCellMap().values().forEach(cells -> cells.forEach(edit::add));
    WALKeyImpl key =
        new WALKeyImpl(region, index.getName(), 1L, System.currentTimeMillis(), new UUID(0, 0));
    WAL.Entry logged = new WAL.Entry(key, edit);
    Pair<ReplicateWALEntryRequest, CellScanner> request =
        ReplicationProtbufUtil.buildReplicateWALEntryRequest(
            new WAL.Entry[] {logged}, region, "peer", new Path("/base"), new Path("/archive"));
    try {
      way.send(
          ((ClusterConnection) c).getAdmin(at.getServerName()),
          request.getFirst(),
          new HBaseRpcControllerImpl(request.getSecond()));
    } catch (ServiceException e) {
      throw ProtobufUtil.handleRemoteException(e);
    }
  }

  private static void alter(Connection c, Table index) throws Exception {
    TableDescriptor now = index.getDescriptor();
    c.getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(now)
                .setMaxFileSize(now.getMaxFileSize() + (1L << 30))
                .build());
  }
}
