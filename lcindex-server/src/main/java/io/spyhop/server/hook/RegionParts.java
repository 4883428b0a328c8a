package io.spyhop.server.hook;

import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.index.RegionPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A region's parts, and the guard around them: a hook that lets anything but an IOException out
 * aborts the region server, and thrown where HBase expects none, an IOException does, too. Each
 * part is guarded alone, so that what one throws keeps no other from being called. Immutable.
 *
 * <p>What goes <em>through</em> the parts (writes, loaded files, edits, what flushes, compactions
 * and queries read) meets them from first to last. What is <em>told</em> to them (open, definitions
 * changed, a flush begins or ends, a compaction has ended, close) they hear from last to first: who
 * is last in the stream is deepest, and is ready before, and asked before, those that build on it.
 * The order of the list is in {@link RegionKinds#ALL}.
 */
final class RegionParts {
  static final RegionParts NONE = new RegionParts(List.of());

  private static final Logger LOG = LoggerFactory.getLogger(RegionParts.class);

  private final RegionPart[] parts;
  private final RegionPart[] backwards;

  RegionParts(List<? extends RegionPart> parts) {
    this.parts = parts.toArray(new RegionPart[0]);
    this.backwards = new RegionPart[this.parts.length];
    for (int i = 0; i < backwards.length; i++) {
      backwards[i] = this.parts[backwards.length - 1 - i];
    }
  }

  /** The part of a type, if there is one. */
  <T extends RegionPart> Optional<T> find(Class<T> type) {
    return Arrays.stream(parts).filter(type::isInstance).map(type::cast).findFirst();
  }

  private void quietly(String what, RegionPart part, IoConsumer<RegionPart> step) {
    try {
      step.accept(part);
    } catch (Throwable t) {
      log(what, part, t);
    }
  }

  private static void log(String what, RegionPart part, Throwable t) {
    LOG.error("{} of {} failed in Spyhop; {}", what, part, part.loss(), t);
  }

  private void tell(String what, IoConsumer<RegionPart> step) {
    for (RegionPart part : backwards) {
      quietly(what, part, step);
    }
  }

  /** The region opens; ends at the first part that fails. */
  void opens() throws IOException {
    for (RegionPart part : backwards) {
      part.opens();
    }
  }

  /** The region is open; ends at the first part that fails. */
  void opened() throws IOException {
    for (RegionPart part : backwards) {
      part.opened();
    }
  }

  void definitions(IndexSchema schema) {
    tell("taking over definitions", p -> p.definitions(schema));
  }

  void closing() {
    tell("preClose", RegionPart::closing);
  }

  void closed() {
    tell("postClose", RegionPart::closed);
  }

  /** Whether a part keeps what replayed edits would make wrong. */
  boolean areKept() {
    for (RegionPart part : parts) {
      if (part.isKept()) {
        return true;
      }
    }
    return false;
  }

  /** Called for every batch: allocates nothing. */
  void write(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    for (RegionPart part : parts) {
      try {
        part.write(batch);
      } catch (IOException e) {
        throw e;
      } catch (Throwable t) {
        unwritten(part, t);
      }
    }
  }

  /** Called for every batch: allocates nothing. */
  void written(MiniBatchOperationInProgress<Mutation> batch) {
    for (RegionPart part : parts) {
      try {
        part.written(batch);
      } catch (Throwable t) {
        log("What follows a write", part, t);
      }
    }
  }

  void write(Mutation mutation, List<Pair<Cell, Cell>> cells) throws IOException {
    for (RegionPart part : parts) {
      try {
        part.write(mutation, cells);
      } catch (IOException e) {
        throw e;
      } catch (Throwable t) {
        unwritten(part, t);
      }
    }
  }

  void load(List<Pair<byte[], String>> files) throws IOException {
    for (RegionPart part : parts) {
      try {
        part.load(files);
      } catch (IOException e) {
        throw e;
      } catch (Throwable t) {
        unwritten(part, t);
      }
    }
  }

  void committed(byte[] family, Path from, Path to) throws IOException {
    for (RegionPart part : parts) {
      try {
        part.committed(family, from, to);
      } catch (IOException e) {
        throw e;
      } catch (Throwable t) {
        unwritten(part, t);
      }
    }
  }

  private static void unwritten(RegionPart part, Throwable failure) throws IOException {
    log("A write", part, failure);
    try {
      part.unwritten(failure);
    } catch (IOException e) {
      throw e;
    } catch (Throwable t) {
      log("What follows a failed write", part, t);
    }
  }

  void loaded(boolean done) {
    for (RegionPart part : parts) {
      quietly("postBulkLoadHFile", part, p -> p.loaded(done));
    }
  }

  /** Called for every edit of a recovery: allocates nothing. */
  void restoring(WALKey key, WALEdit edit) {
    for (RegionPart part : parts) {
      try {
        part.restoring(key, edit);
      } catch (Throwable t) {
        log("preWALRestore", part, t);
      }
    }
  }

  void flushing() {
    tell("preFlush", RegionPart::flushing);
  }

  InternalScanner flushing(Store store, InternalScanner scanner) {
    InternalScanner read = scanner;
    for (RegionPart part : parts) {
      try {
        read = part.flushing(store, read);
      } catch (Throwable t) {
        log("preFlush", part, t);
      }
    }
    return read;
  }

  void flushed(Store store, StoreFile file) {
    tell("postFlush", p -> p.flushed(store, file));
  }

  void flushed() {
    tell("postFlush", RegionPart::flushed);
  }

  InternalScanner compactingMemory(Store store, InternalScanner scanner) {
    InternalScanner read = scanner;
    for (RegionPart part : parts) {
      try {
        read = part.compactingMemory(store, read);
      } catch (Throwable t) {
        log("preMemStoreCompactionCompact", part, t);
      }
    }
    return read;
  }

  /**
   * A compaction begins.
   *
   * @throws IOException if a part has it fail
   */
  InternalScanner compacting(Store store, InternalScanner scanner, CompactionRequest request)
      throws IOException {
    InternalScanner read = scanner;
    for (RegionPart part : parts) {
      try {
        read = part.compacting(store, read, request);
      } catch (IOException e) {
        throw e;
      } catch (Throwable t) {
        log("preCompact", part, t);
      }
    }
    return read;
  }

  void compacted(Store store, StoreFile result, CompactionRequest request) {
    tell("postCompact", p -> p.compacted(store, result, request));
  }

  void scanning(Scan scan) throws IOException {
    for (RegionPart part : parts) {
      try {
        part.scanning(scan);
      } catch (IOException e) {
        throw e;
      } catch (Throwable t) {
        throw unread("opening a scanner", part, t);
      }
    }
  }

  RegionScanner scan(ObserverContext<RegionCoprocessorEnvironment> c, Scan scan, RegionScanner core)
      throws IOException {
    RegionScanner read = core;
    for (RegionPart part : parts) {
      try {
        read = part.scan(c, scan, read);
      } catch (IOException e) {
        throw e;
      } catch (Throwable t) {
        throw unread("opening a scanner", part, t);
      }
    }
    return read;
  }

  void read(ObserverContext<RegionCoprocessorEnvironment> c, Get get) throws IOException {
    for (RegionPart part : parts) {
      try {
        part.read(c, get);
      } catch (IOException e) {
        throw e;
      } catch (Throwable t) {
        throw unread("reading a row", part, t);
      }
    }
  }

  /** What a read fails with where something unchecked was thrown. */
  static DoNotRetryIOException unread(String what, Object where, Throwable t) {
    LOG.error("{} of {} failed in Spyhop", what, where, t);
    return new DoNotRetryIOException("Spyhop: " + what + " failed: " + t, t);
  }

  /** To be guarded by the caller, as are the next two. */
  void refresh(boolean mayChange) throws IOException {
    for (RegionPart part : backwards) {
      part.refresh(mayChange);
    }
  }

  List<IndexState> states() {
    List<IndexState> all = new ArrayList<>();
    for (RegionPart part : parts) {
      all.addAll(part.states());
    }
    return all;
  }

  /** The first part's answer to a question; null if none knows it. */
  byte[] answer(RegionRequest request, Get get) throws IOException {
    for (RegionPart part : parts) {
      byte[] answer = part.answer(request, get);
      if (answer != null) {
        return answer;
      }
    }
    return null;
  }
}
