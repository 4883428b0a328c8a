package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.protocol.Handover;
import io.spyhop.core.protocol.HandoverState;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.remote.FileFetcher;
import io.spyhop.server.index.local.remote.Shipment;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Regions that are going to be moved to this server: their index files are fetched from where they
 * are open, so that they are here when the regions open (docs/decisions/0044). What is here already
 * is not fetched again, so that a server may ask as often as it likes. Thread-safe.
 */
final class Arrivals implements AutoCloseable {
  /** How long files wait for their region without anybody asking. */
  static final Duration PATIENCE = Duration.ofMinutes(10);

  /** How long a question waits for an answer that is final. */
  private static final Duration WAIT = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);
  private static final Pattern REGION = Pattern.compile("[0-9a-f]{32}");

  private final Server server;
  private final FileFetcher fetcher;
  private final ExecutorService threads;
  private final LongSupplier clock;
  private final Map<String, Arrival> expected = new ConcurrentHashMap<>();

  /** The server that they come to. */
  interface Server {
    /** Whether all servers keep index files in the same place. */
    boolean isShared();

    /** Whether index files can be kept. */
    boolean isUsable();

    /** Whether a region is open here, or the server stops. */
    boolean isOver(String region);

    /** Where a region's files are. */
    IndexDirectory directory(String region);

    /** Another server. */
    FileFetcher.Server other(ServerName name);

    /** A table as it is now; null if there is none. */
    TableDescriptor table(Handover region) throws IOException;

    /** A file has been fetched. */
    void fetched();
  }

  /** One region that is expected. */
  private static final class Arrival {
    private volatile long until;
    private Future<HandoverState> running;
  }

  /**
   * @param threads fetch files; closed with this
   * @param clock milliseconds
   */
  Arrivals(Server server, FileFetcher fetcher, ExecutorService threads, LongSupplier clock) {
    this.server = server;
    this.fetcher = fetcher;
    this.threads = threads;
    this.clock = clock;
  }

  /** Whether a region's files are to be kept, although it is not open here. */
  boolean isExpected(String region) {
    Arrival arrival = expected.get(region);
    return arrival != null && clock.getAsLong() < arrival.until;
  }

  /** A region is open here: its files are kept for that, and not beyond. */
  void arrived(String region) {
    expected.remove(region);
  }

  /**
   * Fetches what is not here, or tells how far that is. Waits a moment for it.
   *
   * @throws DoNotRetryIOException if the request makes no sense
   */
  HandoverState receive(Handover region) throws IOException {
    if (!REGION.matcher(region.region()).matches()) {
      throw new DoNotRetryIOException("Spyhop: '" + region.region() + "' is no encoded name");
    }
    long now = clock.getAsLong();
    expected.values().removeIf(a -> a.running == null && now >= a.until);
    Arrival arrival = expected.computeIfAbsent(region.region(), r -> new Arrival());
    synchronized (arrival) {
      arrival.until = now + PATIENCE.toMillis();
      if (arrival.running == null) {
        arrival.running = threads.submit(() -> fetch(region));
      }
      return result(arrival);
    }
  }

  private static HandoverState result(Arrival arrival) throws IOException {
    try {
      HandoverState state = arrival.running.get(WAIT.toMillis(), TimeUnit.MILLISECONDS);
      arrival.running = null;
      return state;
    } catch (TimeoutException e) {
      LOG.debug("Index files are still being fetched", e);
      return new HandoverState(true, 0, 0, 0, "");
    } catch (ExecutionException | CancellationException e) {
      arrival.running = null;
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      throw cause instanceof IOException io ? io : new IOException("fetching failed: " + cause, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server stops", e);
    }
  }

  private HandoverState fetch(Handover region) throws IOException {
    FileFetcher.Server from = server.other(region.from());
    Shipment all = Shipment.decode(from.ask(Question.SHIPMENT, region.encode()));
    if (server.isShared()) {
      return new HandoverState(false, 0, 0, all.missing(), "");
    }
    if (!server.isUsable()) {
      int none = all.missing() + all.items().size();
      return new HandoverState(false, 0, 0, none, HandoverState.UNUSABLE);
    }
    TableDescriptor table = server.table(region);
    IndexDirectory directory = server.directory(region.region());
    Set<String> here = here(directory);
    int files = 0;
    long bytes = 0;
    int missing = all.missing();
    String failure = "";
    for (Shipment.Item item : all.items()) {
      if (here.contains(key(item.hfile(), item.file().definition()))) {
        continue;
      }
      try {
        fetch(item, region, from, directory, family(table, item));
        server.fetched();
        files++;
        bytes += item.file().ifileLength();
      } catch (IOException e) {
        LOG.info("Cannot fetch {} from {}", item.file().ifile(), region.from(), e);
        missing++;
        failure = e.toString();
      }
    }
    return new HandoverState(false, files, bytes, missing, failure);
  }

  private static ColumnFamilyDescriptor family(TableDescriptor table, Shipment.Item item)
      throws IOException {
    ColumnFamilyDescriptor family = table == null ? null : table.getColumnFamily(item.family());
    if (family == null) {
      throw new IOException("the family of " + item.hfile() + " is gone");
    }
    return family;
  }

  private void fetch(
      Shipment.Item item,
      Handover region,
      FileFetcher.Server from,
      IndexDirectory directory,
      ColumnFamilyDescriptor family)
      throws IOException {
    fetcher
        .fetch(
            new FileFetcher.Offer(from, item.file()),
            item.origin(),
            directory,
            item.hfile(),
            family,
            () -> server.isOver(region.region()))
        .close();
  }

  private static Set<String> here(IndexDirectory directory) throws IOException {
    Set<String> here = new HashSet<>();
    for (IndexFile file : directory.peek()) {
      here.add(key(file.hfile(), file.definition()));
    }
    return here;
  }

  /** Files of the same HFile and definition hold the same. */
  private static String key(String hfile, IndexDefinition definition) {
    return hfile + "/" + definition.name() + "/" + definition.text();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
