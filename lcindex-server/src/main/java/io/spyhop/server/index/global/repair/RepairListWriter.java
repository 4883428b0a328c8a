package io.spyhop.server.index.global.repair;

import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.seal.SideFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one repair list (docs/formats/repair-list.md): what one flush or compaction has found. It
 * holds little in memory, and nothing found makes no file. Not thread-safe.
 */
final class RepairListWriter implements ObsoleteVersions.EntryConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(RepairListWriter.class);
  private static final long BUFFER_BYTES = 4 << 20;

  private final RepairDirectory directory;
  private final Path path;
  private final int buffer;
  private final Map<IndexDefinition, List<Entry>> waiting = new LinkedHashMap<>();
  private int entries;
  private long bytes;
  private long total;
  private FSDataOutputStream out;

  /**
   * @param buffer entries that are held in memory at most
   */
  RepairListWriter(RepairDirectory directory, String region, int buffer) {
    this.directory = directory;
    this.path = directory.newList(region);
    this.buffer = buffer;
  }

  @Override
  public void obsolete(IndexDefinition index, Entry entry) throws IOException {
    waiting.computeIfAbsent(index, i -> new ArrayList<>()).add(entry);
    entries++;
    total++;
    bytes += entry.row().length + entry.valueKey().length;
    if (entries >= buffer || bytes >= BUFFER_BYTES) {
      spill();
    }
  }

  private void spill() throws IOException {
    if (out == null) {
      out = directory.create(path);
    }
    for (Map.Entry<IndexDefinition, List<Entry>> e : waiting.entrySet()) {
      IndexDefinition index = e.getKey();
      byte[] plain = new EntryList(index.name(), index.incarnation(), e.getValue()).encode();
      byte[] frame = directory.seal().seal(index.column().family(), plain);
      out.writeInt(frame.length);
      out.write(frame);
    }
    waiting.clear();
    entries = 0;
    bytes = 0;
  }

  /** Where it is, or will be. */
  Path path() {
    return path;
  }

  /** How many entries there are so far. */
  long total() {
    return total;
  }

  /** Makes the list durable; empty if nothing was found. */
  Optional<Path> finish() throws IOException {
    if (total == 0) {
      return Optional.empty();
    }
    if (entries > 0) {
      spill();
    }
    SideFiles.sync(out);
    out.close();
    out = null;
    return Optional.of(path);
  }

  /** Throws away what was written. */
  void abandon() {
    waiting.clear();
    if (total == 0) {
      return;
    }
    try {
      if (out != null) {
        out.close();
      }
      directory.fs().delete(path, false);
    } catch (IOException e) {
      LOG.warn("Cannot delete {}; it does no harm, and goes when the region opens", path, e);
    }
  }
}
