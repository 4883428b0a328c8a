package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.schema.RowsDefinition;
import io.spyhop.server.view.store.RecentBlocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes of a region, with the HFiles that each covers. Thread-safe.
 *
 * <p>Coverage is what is committed on the disk, nothing more: an index is complete when every HFile
 * is covered (correctness rule 23).
 */
public final class RegionIndexes {
  private static final Logger LOG = LoggerFactory.getLogger(RegionIndexes.class);

  private record Key(String hfile, String index) {}

  private final Map<Key, IndexFile> files = new ConcurrentHashMap<>();

  private volatile IndexSchema schema;
  private volatile List<IndexDefinition> wanted;

  private final RegionPairs pairs;
  private final KnownMatches matches;
  private final RecentBlocks recent;
  private final Runnable discarded;
  private final AtomicLong changes = new AtomicLong();

  /**
   * Indexes of a schema, without files yet.
   *
   * @param pairs for the rows that HFiles have in common
   * @param matches for the rows that conditions find
   * @param recent blocks of HFiles that scans have just read
   * @param discarded told when files are to be built again; returns at once
   */
  public RegionIndexes(
      IndexSchema schema,
      RegionPairs pairs,
      KnownMatches matches,
      RecentBlocks recent,
      Runnable discarded) {
    this.pairs = pairs;
    this.matches = matches;
    this.recent = recent;
    this.discarded = discarded;
    schema(schema);
  }

  /** The table's definitions of local indexes. */
  public IndexSchema schema() {
    return schema;
  }

  /** Takes over changed definitions; those of other kinds are left out. */
  public final void schema(IndexSchema changed) {
    IndexSchema locals = changed.locals();
    wanted = RowsDefinition.with(locals.indexes());
    schema = locals;
    changes.incrementAndGet();
  }

  /** How often definitions have been taken over, and files have come or been discarded. */
  public long changes() {
    return changes.get();
  }

  /** What HFiles are to have files of: the indexes, and rows where columnar ones share them. */
  public List<IndexDefinition> wanted() {
    return wanted;
  }

  /** The same of one family. */
  public List<IndexDefinition> wanted(byte[] family) {
    return wanted.stream().filter(d -> Arrays.equals(d.column().family(), family)).toList();
  }

  /** Adds committed files; an older one of the same HFile and index is dropped. */
  public void add(IndexFile file) throws IOException {
    IndexFile old = files.put(key(file), file);
    changes.incrementAndGet();
    if (old != null && old != file) {
      old.drop();
    }
  }

  private static Key key(IndexFile file) {
    return new Key(file.hfile(), file.definition().name());
  }

  /** The files of an HFile for an index or the rows, if committed for this incarnation. */
  public Optional<IndexFile> find(String hfile, IndexDefinition definition) {
    IndexFile file = files.get(new Key(hfile, definition.name()));
    boolean current = file != null && file.definition().equals(definition);
    return current ? Optional.of(file) : Optional.empty();
  }

  /** The same, retained: the caller releases it. */
  public Optional<IndexFile> acquire(String hfile, IndexDefinition definition) {
    return find(hfile, definition).filter(IndexFile::retain);
  }

  /** The files that tell where an HFile's rows are. */
  public Optional<IndexFile> rows(String hfile) {
    return Optional.ofNullable(files.get(new Key(hfile, RowsDefinition.NAME)));
  }

  /** The files of an HFile that an index is read by; those of a columnar one need the rows. */
  public Optional<IndexFile> usable(String hfile, IndexDefinition index) {
    boolean complete = index.local().layout() != Layout.COLUMNAR || rows(hfile).isPresent();
    return complete ? find(hfile, index) : Optional.empty();
  }

  /** The rows that conditions found before. */
  public KnownMatches matches() {
    return matches;
  }

  /** The blocks of HFiles that scans of the server have just read. */
  public RecentBlocks recent() {
    return recent;
  }

  /** The rows that HFiles have in common. */
  public RegionPairs pairs() {
    return pairs;
  }

  /**
   * Takes out the files of HFiles that are gone, and those that are no longer wanted, so that no
   * further query finds them; the caller drops them.
   */
  public List<IndexFile> takeUnwanted(Set<String> hfiles) {
    pairs.retainOnly(hfiles);
    List<IndexDefinition> defined = wanted;
    List<IndexFile> unwanted = new ArrayList<>();
    files.forEach(
        (key, file) -> {
          boolean stays = defined.contains(file.definition()) && hfiles.contains(file.hfile());
          if (!stays && files.remove(key, file)) {
            unwanted.add(file);
          }
        });
    return unwanted;
  }

  /** Drops files, for example damaged ones; they are built again if their HFile is still there. */
  public void discard(IndexFile file) throws IOException {
    if (files.remove(key(file), file)) {
      changes.incrementAndGet();
      discarded.run();
      file.drop();
    }
  }

  /** All committed files. */
  public List<IndexFile> all() {
    return new ArrayList<>(files.values());
  }

  /** Closes readers; files stay on the disk. */
  public void close() {
    for (IndexFile f : files.values()) {
      try {
        f.close();
      } catch (IOException e) {
        LOG.warn("Closing {} failed", f, e);
      }
    }
    files.clear();
    pairs.close();
  }
}
