package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.remote.FileFetcher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for index files that exist already, in the paper's order (LCIndex, section III.C.4): those
 * of a reference's or link's HFile on this server, then those of other servers. Use once; not
 * thread-safe.
 */
final class RemoteSearch {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteSearch.class);

  private final ServerResources server;
  private final RegionInfo info;
  private final String region;
  private final IndexDirectory directory;
  private final BooleanSupplier cancelled;
  private final List<IndexFile> found = new ArrayList<>();
  private final Set<String> building = new HashSet<>();

  RemoteSearch(
      ServerResources server,
      RegionInfo info,
      IndexDirectory directory,
      BooleanSupplier cancelled) {
    this.server = server;
    this.info = info;
    this.region = info.getEncodedName();
    this.directory = directory;
    this.cancelled = cancelled;
  }

  /** One missing pair: what it is here and what it is where it was built. */
  private record Wanted(String name, Origin origin, IndexDefinition definition) {}

  /** Searches for the files of one family. */
  void search(ColumnFamilyDescriptor family, Map<HStoreFile, List<IndexDefinition>> missing)
      throws IOException {
    Map<String, List<Wanted>> byRegion = new LinkedHashMap<>();
    missing.forEach(
        (file, definitions) -> {
          Origin origin = Origin.of(file, region);
          for (IndexDefinition d : definitions) {
            byRegion
                .computeIfAbsent(origin.region(), r -> new ArrayList<>())
                .add(new Wanted(file.getPath().getName(), origin, d));
          }
        });
    for (Map.Entry<String, List<Wanted>> e : byRegion.entrySet()) {
      List<Wanted> rest = e.getValue();
      if (!e.getKey().equals(region)) {
        rest = here(e.getKey(), rest);
      }
      if (!rest.isEmpty() && !server.isShared()) {
        elsewhere(e.getKey(), rest, family);
      }
    }
  }

  /** Takes what is in a directory of this server and returns the rest. */
  private List<Wanted> here(String origin, List<Wanted> wanted) throws IOException {
    List<IndexFile> files = server.directory(origin).peek();
    List<Wanted> rest = new ArrayList<>();
    for (Wanted w : wanted) {
      IndexFile match =
          files.stream()
              .filter(f -> f.hfile().equals(w.origin.hfile()))
              .filter(f -> f.definition().equals(w.definition))
              .findFirst()
              .orElse(null);
      if (match == null) {
        rest.add(w);
      } else {
        found.add(match.borrowed(w.name));
      }
    }
    return rest;
  }

  private void elsewhere(String origin, List<Wanted> wanted, ColumnFamilyDescriptor family)
      throws IOException {
    Map<String, List<IndexDefinition>> question = new LinkedHashMap<>();
    Map<String, String> names = new HashMap<>();
    for (Wanted w : wanted) {
      names.put(w.origin.hfile(), w.name);
      question.computeIfAbsent(w.origin.hfile(), h -> new ArrayList<>()).add(w.definition);
    }
    FileFetcher.Found there =
        server.fetcher().find(server.otherServers(info), origin, question, cancelled);
    there.building().forEach(hfile -> building.add(names.get(hfile)));
    for (FileFetcher.Offer offer : there.offers()) {
      fetch(offer, origin, names.get(offer.file().hfile()), family);
    }
  }

  private void fetch(
      FileFetcher.Offer offer, String origin, String name, ColumnFamilyDescriptor family) {
    try {
      found.add(server.fetcher().fetch(offer, origin, directory, name, family, cancelled));
      server.metrics().fetchedFiles.increment();
    } catch (CancellationException e) {
      throw e;
    } catch (IOException e) {
      LOG.info("Cannot copy {} from {}, it is built anew", offer.file().ifile(), offer.server(), e);
    }
  }

  /** What was found. */
  List<IndexFile> found() {
    return found;
  }

  /** HFiles whose files another server is about to have. */
  Set<String> building() {
    return building;
  }
}
