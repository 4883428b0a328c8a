package io.spyhop.server.index.local.remote;

import io.spyhop.core.protocol.Question;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.local.CorruptIndexFileException;
import io.spyhop.server.index.local.FileDamage;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.SFile;
import io.spyhop.server.index.local.remote.RemoteMessages.ChunkRequest;
import io.spyhop.server.index.local.remote.RemoteMessages.FilesAnswer;
import io.spyhop.server.index.local.remote.RemoteMessages.FilesRequest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Gives this server's index files to other region servers. The caller has checked who asks.
 * Thread-safe.
 */
public final class FileServer {
  /** The longest piece that is sent at once. */
  static final int MAX_CHUNK = 4 << 20;

  /** Bytes of SFiles that are remembered. */
  private static final long REMEMBERED = 32L << 20;

  private static final Pattern REGION = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern UNIQUE = Pattern.compile("[0-9a-f]{8}");

  private final Holdings holdings;
  private final LongConsumer servedBytes;
  private final ServedFiles remembered = new ServedFiles(REMEMBERED);

  /** The index files of a server. */
  public interface Holdings {
    /** The directory of a region, whether it is open here or not. */
    IndexDirectory directory(String region);

    /** Whether files of an HFile are being built for a region that is open here. */
    boolean isBuilding(String region, String hfile);
  }

  /**
   * @param servedBytes takes how many bytes are sent
   */
  public FileServer(Holdings holdings, LongConsumer servedBytes) {
    this.holdings = holdings;
    this.servedBytes = servedBytes;
  }

  /** Answers {@link Question#FILES} and {@link Question#CHUNK}. */
  public byte[] answer(Question question, byte[] payload) throws IOException {
    return switch (question) {
      case FILES -> files(FilesRequest.decode(payload)).encode();
      case CHUNK -> RemoteMessages.encodeChunk(chunk(ChunkRequest.decode(payload)));
      default -> throw new DoNotRetryIOException("Spyhop: unknown question '" + question + "'");
    };
  }

  private FilesAnswer files(FilesRequest request) throws IOException {
    List<SFile> found = new ArrayList<>();
    for (IndexFile f : directory(request.region()).peek()) {
      List<IndexDefinition> wanted = request.wanted().getOrDefault(f.hfile(), List.of());
      if (wanted.contains(f.definition())) {
        found.add(f.header());
      }
    }
    List<String> building = new ArrayList<>();
    for (String hfile : request.wanted().keySet()) {
      if (holdings.isBuilding(request.region(), hfile)) {
        building.add(hfile);
      }
    }
    return new FilesAnswer(found, building);
  }

  private IndexDirectory directory(String region) throws DoNotRetryIOException {
    if (!REGION.matcher(region).matches()) {
      throw new DoNotRetryIOException("Spyhop: '" + region + "' is no encoded region name");
    }
    return holdings.directory(region);
  }

  private byte[] chunk(ChunkRequest r) throws IOException {
    if (!UNIQUE.matcher(r.unique()).matches() || r.hfile().contains("/")) {
      throw new DoNotRetryIOException("Spyhop: '" + r.hfile() + "' is no HFile name");
    }
    IndexDirectory directory = directory(r.region());
    try {
      FileStatus sfile = directory.sfile(r.hfile(), r.definition().name(), r.unique());
      return chunk(r, remembered.get(sfile, directory::peek));
    } catch (FileNotFoundException e) {
      throw new DoNotRetryIOException("Spyhop: what was offered is here no more", e);
    }
  }

  private byte[] chunk(ChunkRequest r, IndexFile file) throws IOException {
    if (!file.hfile().equals(r.hfile()) || !file.definition().equals(r.definition())) {
      throw new DoNotRetryIOException("Spyhop: " + file + " is not what was asked for");
    }
    if (r.offset() < 0 || r.offset() > file.ifileLength() || r.length() < 1) {
      throw new DoNotRetryIOException("Spyhop: " + file + " has no byte " + r.offset());
    }
    int length = (int) Math.min(Math.min(r.length(), MAX_CHUNK), file.ifileLength() - r.offset());
    byte[] bytes = new byte[length];
    try (FSDataInputStream in = file.open()) {
      in.readFully(r.offset(), bytes);
    } catch (CorruptIndexFileException e) {
      if (!FileDamage.isDamage(e)) {
        throw e;
      }
      throw new DoNotRetryIOException("Spyhop: " + file + " is damaged: " + e.getMessage(), e);
    }
    servedBytes.accept(length);
    return bytes;
  }
}
