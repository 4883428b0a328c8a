package io.spyhop.server.index.global;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.server.index.global.entry.BatchEntries;
import io.spyhop.server.memory.UnshippedBytes;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Writes the entries of HFiles that are about to be loaded into a region: like any write, they are
 * indexed before they are there. Of a synchronous index those are written again, too, that delete
 * markers in the files may need (see {@link SyncReads}). The load waits for it. Not thread-safe.
 */
final class BulkEntries {
  private static final int ROWS_AT_ONCE = 100;

  private final HRegion region;
  private final TableName base;
  private final IndexDefinition index;
  private final IoConsumer<List<Put>> sink;
  private final BatchEntries entries;
  private final EntryPuts batch = new EntryPuts();
  private SyncReads reads;

  BulkEntries(HRegion region, IndexDefinition index, IoConsumer<List<Put>> sink) {
    this.region = region;
    this.base = region.getTableDescriptor().getTableName();
    this.index = index;
    this.sink = sink;
    this.entries = new BatchEntries(base, index);
    this.reads = new SyncReads(region, index);
  }

  /**
   * Reads files of the indexed family.
   *
   * @param files by family
   * @return the files that have their entries
   */
  Set<FileIdentity> write(List<Pair<byte[], String>> files) throws IOException {
    Set<FileIdentity> written = new HashSet<>();
    for (Pair<byte[], String> file : files) {
      if (Arrays.equals(file.getFirst(), index.column().family())) {
        write(new Path(file.getSecond())).ifPresent(written::add);
      }
    }
    return written;
  }

  private Optional<FileIdentity> write(Path file) throws IOException {
    Configuration conf = region.getReadOnlyConfiguration();
    Optional<FileIdentity> identity;
    try (FileSystem fs = loadersView(file, conf)) {
      identity = FileIdentity.read(fs, file, conf, this::read);
    }
    restore();
    send();
    return identity;
  }

  private boolean read(HFile.Reader reader, HFileScanner scanner, FileIdentity.Hash hash)
      throws IOException {
    if (!isInRegion(reader)) {
      return false;
    }
    UnshippedBytes unshipped = new UnshippedBytes();
    for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
      Cell cell = scanner.getCell();
      hash.add(cell);
      add(cell);
      if (batch.isFull()) {
        send();
      }
      if (unshipped.add(cell)) {
        scanner.shipped();
      }
    }
    return true;
  }

  /**
   * A FileSystem that Hadoop's cache does not know, not even as a new instance: HBase closes all of
   * a user's there when one of the user's loads has ended, while others read.
   */
  private static FileSystem ofItsOwn(URI uri, Configuration conf) throws IOException {
    FileSystem fs =
        ReflectionUtils.newInstance(FileSystem.getFileSystemClass(uri.getScheme(), conf), conf);
    fs.initialize(uri, conf);
    return fs;
  }

  /** As Hadoop has it: what a path leaves out is the default's. */
  private static URI fileSystemOf(Path file, Configuration conf) {
    URI uri = file.toUri();
    URI byDefault = FileSystem.getDefaultUri(conf);
    boolean isDefault =
        uri.getScheme() == null
            || uri.getAuthority() == null && uri.getScheme().equals(byDefault.getScheme());
    return isDefault ? byDefault : uri;
  }

  /**
   * The file system as the user has it who asks for the load: HBase becomes that user only after
   * this, and a path that is not theirs to read must not come to light in an index.
   */
  static FileSystem loadersView(Path file, Configuration conf) throws IOException {
    FileSystem fs = loadersView(fileSystemOf(file, conf), conf);
    return asLoader(() -> readable(fs, file));
  }

  /** The same, of whatever is in a file system. */
  static FileSystem loadersView(URI uri, Configuration conf) throws IOException {
    return asLoader(() -> ofItsOwn(uri, conf));
  }

  private static FileSystem asLoader(PrivilegedExceptionAction<FileSystem> open)
      throws IOException {
    User loader = RpcServer.getRequestUser().orElse(User.getCurrent());
    try {
      return loader.runAs(open);
    } catch (InterruptedException e) {
      throw Interruption.of("opening a file system", e);
    }
  }

  /**
   * A local file system reads as the server's process does for all users: it is asked about the
   * caller's rights first.
   */
  private static FileSystem readable(FileSystem fs, Path file) throws IOException {
    boolean readable = false;
    try {
      fs.access(file, FsAction.READ);
      readable = true;
      return fs;
    } finally {
      if (!readable) {
        fs.close();
      }
    }
  }

  /** HBase refuses to load any other, and its cells would not be this region's to index. */
  private boolean isInRegion(HFile.Reader reader) {
    Optional<byte[]> first = reader.getFirstRowKey();
    Optional<byte[]> last = reader.getLastRowKey();
    return first.isPresent()
        && last.isPresent()
        && HRegion.rowIsInRange(region.getRegionInfo(), first.get())
        && HRegion.rowIsInRange(region.getRegionInfo(), last.get());
  }

  private void add(Cell cell) throws IOException {
    if (!CellUtil.isPut(cell)) {
      marker(cell);
    } else if (index.column().matches(cell)) {
      boolean labelled = BatchEntries.isLabelled(cell);
      entries.ofStored(cell).ifPresent(e -> batch.add(e.put(labelled)));
    }
  }

  private void marker(Cell cell) throws IOException {
    if (index.global().maintenance() == Maintenance.SYNC) {
      reads.add(cell);
      if (reads.rows() >= ROWS_AT_ONCE) {
        restore();
      }
    }
  }

  private void restore() throws IOException {
    reads.restored().forEach(batch::add);
    reads = new SyncReads(region, index);
  }

  private void send() throws IOException {
    sink.accept(batch.take());
  }
}
