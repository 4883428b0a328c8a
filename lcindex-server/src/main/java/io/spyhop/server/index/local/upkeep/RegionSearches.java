package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.runtime.Backoff;
import io.spyhop.server.runtime.Job;
import io.spyhop.server.runtime.JobKind;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/**
 * Has index files looked for that may exist elsewhere, or here for another region, and remembers
 * what was looked for in vain. Thread-safe.
 */
final class RegionSearches {
  private final ServerResources server;
  private final RegionInfo region;
  private final IndexDirectory directory;
  private final SearchHistory history;
  private final Backoff backoff;
  private final BooleanSupplier cancelled;
  private final Consumer<List<IndexFile>> found;

  /**
   * @param backoff of the region's HFiles
   * @param cancelled whether the region closes or the server stops
   * @param found takes the files
   */
  RegionSearches(
      ServerResources server,
      RegionInfo region,
      IndexDirectory directory,
      SearchHistory history,
      Backoff backoff,
      BooleanSupplier cancelled,
      Consumer<List<IndexFile>> found) {
    this.server = server;
    this.region = region;
    this.directory = directory;
    this.history = history;
    this.backoff = backoff;
    this.cancelled = cancelled;
    this.found = found;
  }

  /** These HFiles were there when the region opened. */
  void inherit(Collection<String> hfiles) {
    history.inherit(hfiles);
  }

  /** Whether to look for index files of an HFile. */
  boolean isWorthwhile(String hfile, List<IndexDefinition> missing) {
    return history.isWorthwhile(hfile, missing);
  }

  /** Forgets HFiles that are gone. */
  void retainOnly(Set<String> hfiles) {
    history.retainOnly(hfiles);
  }

  /**
   * A job that looks for index files of some HFiles.
   *
   * @param after run when it is over, however it ended
   */
  Job job(HStore store, Map<HStoreFile, List<IndexDefinition>> missing, Runnable after) {
    return new Job(
        JobKind.REMOTE,
        region.getEncodedName() + "/" + store.getColumnFamilyName(),
        List.of(),
        () -> {
          try {
            search(store, missing);
          } finally {
            after.run();
          }
        });
  }

  private void search(HStore store, Map<HStoreFile, List<IndexDefinition>> missing)
      throws IOException {
    if (cancelled.getAsBoolean()) {
      throw new CancellationException("the region closes");
    }
    List<String> names = missing.keySet().stream().map(f -> f.getPath().getName()).toList();
    RemoteSearch search = new RemoteSearch(server, region, directory, cancelled);
    history.begin(names, now());
    Set<String> again = new HashSet<>(names);
    String why = "";
    try {
      search.search(store.getColumnFamilyDescriptor(), missing);
      again.retainAll(search.building());
      why = "another server is still building its index files";
    } catch (IOException e) {
      why = "searching other servers failed: " + e;
      throw e;
    } finally {
      found.accept(search.found());
      searched(names, again, why);
    }
  }

  private long now() {
    return server.runtime().clock().getAsLong();
  }

  /** Files that may still turn up are looked for again, for a while. */
  private void searched(List<String> names, Set<String> again, String why) {
    for (String name : names) {
      long wait = server.runtime().settings().fetchWaitMillis();
      if (history.end(name, again.contains(name), now(), wait)) {
        backoff.succeeded(name);
      } else {
        backoff.failed(name, why);
      }
    }
  }
}
