package io.spyhop.server.index.local.remote;

import io.spyhop.core.protocol.Question;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.local.CopiedFile;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.SFile;
import io.spyhop.server.index.local.remote.RemoteMessages.ChunkRequest;
import io.spyhop.server.index.local.remote.RemoteMessages.FilesAnswer;
import io.spyhop.server.index.local.remote.RemoteMessages.FilesRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds index files on other region servers and copies them, piece by piece; a piece that fails is
 * asked for again, from where the copy ended. Thread-safe.
 */
public final class FileFetcher {
  private static final Logger LOG = LoggerFactory.getLogger(FileFetcher.class);
  private static final int TRIES = 5;

  private final int chunk;
  private final LongConsumer fetchedBytes;
  private final Pause pause;

  /** Another region server. */
  public interface Server {
    /** Asks it. */
    byte[] ask(Question question, byte[] payload) throws IOException;
  }

  /** Waits before the next try. */
  @FunctionalInterface
  public interface Pause {
    /** Waits; the argument counts the tries so far. */
    void beforeRetry(int tries) throws IOException;
  }

  /** A file that a server can send. */
  public record Offer(Server server, SFile file) {}

  /**
   * The files that servers offer.
   *
   * @param offers one per HFile and index that some server has
   * @param building HFiles whose files some server is about to have
   */
  public record Found(List<Offer> offers, Set<String> building) {}

  /**
   * @param chunk bytes to ask for at once
   * @param fetchedBytes takes how many bytes came
   */
  public FileFetcher(int chunk, LongConsumer fetchedBytes, Pause pause) {
    this.chunk = chunk;
    this.fetchedBytes = fetchedBytes;
    this.pause = pause;
  }

  /**
   * Asks one server after the other until all is found. Servers that do not answer are passed over.
   *
   * @param region the encoded name of the region whose files they are
   * @param wanted by HFile name the indexes
   * @param cancelled asked before each server; if true, the search ends with a {@link
   *     CancellationException}
   */
  public Found find(
      Iterable<Server> servers,
      String region,
      Map<String, List<IndexDefinition>> wanted,
      BooleanSupplier cancelled) {
    Map<String, List<IndexDefinition>> missing = new LinkedHashMap<>();
    wanted.forEach((hfile, definitions) -> missing.put(hfile, new ArrayList<>(definitions)));
    List<Offer> offers = new ArrayList<>();
    Set<String> building = new HashSet<>();
    for (Server s : servers) {
      if (missing.isEmpty()) {
        break;
      }
      if (cancelled.getAsBoolean()) {
        throw new CancellationException("searching files of " + region + " is cancelled");
      }
      try {
        FilesAnswer answer =
            FilesAnswer.decode(s.ask(Question.FILES, new FilesRequest(region, missing).encode()));
        building.addAll(answer.building());
        for (SFile f : answer.files()) {
          take(missing, new Offer(s, f), offers);
        }
      } catch (DoNotRetryIOException e) {
        LOG.warn("{} refuses to say which index files of {} it has", s, region, e);
      } catch (IOException e) {
        LOG.debug("{} does not say which index files of {} it has", s, region, e);
      }
    }
    building.retainAll(missing.keySet());
    return new Found(offers, building);
  }

  private static void take(
      Map<String, List<IndexDefinition>> missing, Offer offer, List<Offer> offers) {
    String hfile = offer.file().hfile();
    List<IndexDefinition> definitions = missing.get(hfile);
    if (definitions != null && definitions.remove(offer.file().definition())) {
      offers.add(offer);
      if (definitions.isEmpty()) {
        missing.remove(hfile);
      }
    }
  }

  /**
   * Copies a file and commits it.
   *
   * @param region the encoded name of the region whose file it is
   * @param hfile the HFile's name in this region
   * @param cancelled asked before each piece; if true, the copy ends with a {@link
   *     CancellationException}
   */
  public IndexFile fetch(
      Offer offer,
      String region,
      IndexDirectory target,
      String hfile,
      ColumnFamilyDescriptor family,
      BooleanSupplier cancelled)
      throws IOException {
    SFile original = offer.file();
    try (CopiedFile copy = target.newCopy(original)) {
      while (copy.length() < original.ifileLength()) {
        if (cancelled.getAsBoolean()) {
          throw new CancellationException("copying " + original.ifile() + " is cancelled");
        }
        byte[] bytes = next(offer, region, copy.length());
        if (bytes.length == 0) {
          throw new IOException("no bytes of " + original.ifile() + " at " + copy.length());
        }
        copy.append(bytes);
        fetchedBytes.accept(bytes.length);
      }
      return copy.commit(hfile, family);
    }
  }

  private byte[] next(Offer offer, String region, long offset) throws IOException {
    SFile f = offer.file();
    byte[] request =
        new ChunkRequest(region, f.hfile(), f.definition(), f.unique(), offset, chunk).encode();
    for (int tries = 1; ; tries++) {
      try {
        return RemoteMessages.decodeChunk(offer.server().ask(Question.CHUNK, request));
      } catch (DoNotRetryIOException e) {
        throw e;
      } catch (IOException e) {
        if (tries == TRIES) {
          throw e;
        }
        LOG.debug("Asking again for {} at {}", f.ifile(), offset, e);
        pause.beforeRetry(tries);
      }
    }
  }
}
