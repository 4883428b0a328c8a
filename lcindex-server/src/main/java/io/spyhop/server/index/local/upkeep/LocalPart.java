package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.index.RegionContext;
import io.spyhop.server.index.RegionPart;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/** A region's local indexes. Thread-safe. */
public final class LocalPart implements RegionPart {
  private final RegionContext context;
  private volatile RegionMaintainer maintainer;

  /** The maintainer's, until the region has closed. */
  private volatile FileStreams streams;

  public LocalPart(RegionContext context) {
    this.context = context;
  }

  /** What keeps the indexes; null while the region is not open. */
  public RegionMaintainer maintainer() {
    return maintainer;
  }

  @Override
  public void opened() {
    RegionMaintainer opened =
        context.service(IndexService.class).open(context.region(), context.schema());
    streams = opened.streams();
    maintainer = opened;
  }

  @Override
  public void definitions(IndexSchema schema) {
    RegionMaintainer m = maintainer;
    if (m != null) {
      m.schema(schema);
    }
  }

  /** Jobs end. */
  @Override
  public void closing() {
    RegionMaintainer m = maintainer;
    maintainer = null;
    if (m != null) {
      m.close();
    }
  }

  @Override
  public void closed() {
    closing();
    FileStreams s = streams;
    if (s != null) {
      s.discard();
    }
  }

  @Override
  public InternalScanner compacting(
      Store store, InternalScanner scanner, CompactionRequest request) {
    RegionMaintainer m = maintainer;
    if (m == null) {
      return scanner;
    }
    m.compactions().begins(request);
    return streams.compacting((HStore) store, scanner, request);
  }

  @Override
  public void compacted(Store store, StoreFile result, CompactionRequest request) {
    FileStreams s = streams;
    if (s != null) {
      s.compacted(request, result);
    }
    RegionMaintainer m = maintainer;
    if (m == null) {
      return;
    }
    try {
      if (result != null) {
        m.compactions().made(request, result.getPath().getName());
      }
    } finally {
      m.changed();
    }
  }

  @Override
  public InternalScanner flushing(Store store, InternalScanner scanner) {
    RegionMaintainer m = maintainer;
    return m == null ? scanner : streams.flushing((HStore) store, scanner);
  }

  @Override
  public void flushed(Store store, StoreFile file) {
    FileStreams s = streams;
    if (s != null) {
      s.flushed((HStore) store, file);
    }
  }

  @Override
  public void flushed() {
    changed();
  }

  @Override
  public void loaded(boolean done) {
    changed();
  }

  private void changed() {
    RegionMaintainer m = maintainer;
    if (m != null) {
      m.changed();
    }
  }

  @Override
  public void refresh(boolean mayChange) {
    changed();
  }

  @Override
  public List<IndexState> states() {
    RegionMaintainer m = maintainer;
    return m == null ? List.of() : m.status().indexes();
  }

  @Override
  public String toString() {
    return context.region().toString();
  }
}
