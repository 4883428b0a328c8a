package io.spyhop.server.index.local.directory;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import io.spyhop.server.seal.SideFiles;
import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Since when regions whose index files are in a directory have not been seen there, kept in a file
 * of the directory ({@code docs/formats/absent-regions.md}), so that servers that restart every day
 * do not begin to count anew. Not thread-safe.
 */
final class AbsentRegions {
  static final String NAME = ".absent";

  private static final Logger LOG = LoggerFactory.getLogger(AbsentRegions.class);
  private static final int MAGIC = 0x53504142; // SPAB
  private static final int VERSION = 1;
  private static final int MAX_LENGTH = 64 << 20;

  private final FileSystem fs;
  private final Path file;
  private final Map<String, Long> since;
  private final Map<String, Long> seen = new HashMap<>();

  private AbsentRegions(FileSystem fs, Path file, Map<String, Long> since) {
    this.fs = fs;
    this.file = file;
    this.since = since;
  }

  /** What the file in a directory says; a damaged one counts as none. */
  static AbsentRegions load(FileSystem fs, Path directory) throws IOException {
    Path file = new Path(directory, NAME);
    Map<String, Long> since = Map.of();
    try {
      since = decode(SideFiles.read(fs, file, MAX_LENGTH));
    } catch (FileNotFoundException e) {
      LOG.debug("No region was absent from {} until now", directory, e);
    } catch (CorruptFrameException e) {
      LOG.warn("{} is damaged: regions count as absent from now on", file, e);
    }
    return new AbsentRegions(fs, file, since);
  }

  /** Reads the file's bytes. */
  static Map<String, Long> decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("absent regions", MAGIC, VERSION, bytes, AbsentRegions::read);
  }

  private static Map<String, Long> read(DataInputStream in) throws IOException {
    int count = Frame.readCount(in, Short.BYTES + Long.BYTES);
    Map<String, Long> since = new HashMap<>();
    for (int i = 0; i < count; i++) {
      since.put(Frame.readUtf(in), in.readLong());
    }
    return since;
  }

  /**
   * A region is absent: for how long it has been. A time that is yet to come, as the clock was put
   * back, counts as now.
   *
   * @param now milliseconds
   */
  long millis(String region, long now) {
    long first = Math.min(now, since.getOrDefault(region, now));
    seen.put(region, first);
    return now - first;
  }

  /** The region's files are gone. */
  void deleted(String region) {
    seen.remove(region);
  }

  /**
   * Keeps the times of the regions that {@link #millis} was asked for, and no others; of none there
   * is no file.
   */
  void store() throws IOException {
    if (seen.equals(since)) {
      return;
    }
    if (seen.isEmpty()) {
      fs.delete(file, false);
      return;
    }
    Map<String, Long> sorted = new TreeMap<>(seen);
    byte[] bytes =
        Frame.encode(
            MAGIC,
            VERSION,
            out -> {
              out.writeInt(sorted.size());
              for (Map.Entry<String, Long> e : sorted.entrySet()) {
                out.writeUTF(e.getKey());
                out.writeLong(e.getValue());
              }
            });
    SideFiles.write(fs.create(file, true), bytes);
  }
}
