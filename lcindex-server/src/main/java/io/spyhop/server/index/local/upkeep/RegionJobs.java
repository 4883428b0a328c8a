package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.server.index.local.BuildSettings;
import io.spyhop.server.index.local.ColumnFileBuilder;
import io.spyhop.server.index.local.IndexBuilder;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.IndexMerge;
import io.spyhop.server.index.local.PreparedFile;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.local.StreamedFiles;
import io.spyhop.server.runtime.Job;
import io.spyhop.server.runtime.JobKind;
import io.spyhop.server.runtime.Pacer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the jobs that build index files of one region: a job that builds and one that commits.
 * Thread-safe.
 */
final class RegionJobs {
  private static final Logger LOG = LoggerFactory.getLogger(RegionJobs.class);

  private final IndexService service;
  private final IndexDirectory directory;
  private final RegionIndexes indexes;
  private final CompactionWatch compactions;
  private final FileStreams streams;
  private final BooleanSupplier cancelled;
  private final Ending ending;

  /** Told when the jobs of an HFile are over. */
  interface Ending {
    /** The files are committed. */
    void committed(List<IndexFile> files);

    /**
     * The last job is over.
     *
     * @param failure what went wrong, or null
     */
    void over(HStore store, HStoreFile file, Throwable failure);
  }

  /**
   * @param compactions which HFiles may have index files merged from those of their inputs
   * @param streams files that were built while HFiles were written
   * @param cancelled whether the region closes or the server stops
   */
  RegionJobs(
      IndexService service,
      IndexDirectory directory,
      RegionIndexes indexes,
      CompactionWatch compactions,
      FileStreams streams,
      BooleanSupplier cancelled,
      Ending ending) {
    this.service = service;
    this.directory = directory;
    this.indexes = indexes;
    this.compactions = compactions;
    this.streams = streams;
    this.cancelled = cancelled;
    this.ending = ending;
  }

  /** The HFiles that were compacted and not archived yet. */
  static Collection<HStoreFile> compacted(HStore store) {
    Collection<HStoreFile> compacted = store.getCompactedFiles();
    return compacted == null ? List.of() : compacted;
  }

  /**
   * The HFiles that a compaction made this one of, without their own inputs; empty if none did or
   * if one was a reference, so that their index files cannot be merged. A reference to a compacted
   * HFile has a part of it, and names the inputs of the whole.
   */
  static Set<String> mergeable(HStore store, HStoreFile file) {
    if (file.isReference()) {
      return Set.of();
    }
    Set<String> inputs = new HashSet<>(SpyhopAccess.compactedFrom(file));
    for (HStoreFile input : compacted(store)) {
      if (inputs.contains(input.getPath().getName())) {
        inputs.removeAll(SpyhopAccess.compactedFrom(input));
      }
    }
    return inputs.stream().noneMatch(StoreFileInfo::isReference) ? inputs : Set.of();
  }

  /** The files that the first job hands to the second. */
  private static final class Built {
    private List<PreparedFile> files = List.of();

    synchronized void set(List<PreparedFile> made) {
      files = made;
    }

    synchronized List<PreparedFile> get() {
      return files;
    }
  }

  /** Jobs for an HFile that must be read, but for what was built while it was written. */
  List<Job> flush(HStore store, HStoreFile file, List<IndexDefinition> missing) {
    Built built = new Built();
    Job make =
        new Job(
            JobKind.FLUSH,
            file.getPath().getName(),
            List.of(),
            () -> {
              service.requireDirectory();
              built.set(built(store, file, missing));
            });
    return List.of(make, commit(JobKind.COMMIT, store, file, make, built));
  }

  /**
   * Jobs for an HFile that a compaction made.
   *
   * @param inputs the compaction's inputs
   * @param after jobs that are making the inputs' files
   */
  List<Job> compact(
      HStore store,
      HStoreFile file,
      List<IndexDefinition> missing,
      Collection<String> inputs,
      List<Job> after) {
    Built built = new Built();
    Job make =
        new Job(
            JobKind.COMPACT,
            file.getPath().getName(),
            after,
            () -> {
              service.requireDirectory();
              built.set(compacted(store, file, missing, inputs));
            });
    return List.of(make, commit(JobKind.COMPLETE_COMPACT, store, file, make, built));
  }

  /** A job that finds the rows that an HFile with a file of its rows shares with others. */
  Job pairs(HStore store, HStoreFile file) {
    return new Job(
        JobKind.PAIRS,
        file.getPath().getName(),
        List.of(),
        () -> {
          try {
            new PairSearch(indexes, store, service.runtime().newPacer(), cancelled).of(file);
          } catch (IOException | RuntimeException e) {
            if (cancelled.getAsBoolean() || e instanceof CancellationException) {
              throw new CancellationException("the region closes");
            }
            service
                .runtime()
                .complaints()
                .warn(LOG, "Looking for shared rows", "queries do it", table(store), file, e);
            throw e;
          }
        });
  }

  private static TableName table(HStore store) {
    return store.getHRegion().getTableDescriptor().getTableName();
  }

  private Job commit(JobKind kind, HStore store, HStoreFile file, Job make, Built built) {
    return new Job(
        kind,
        file.getPath().getName(),
        List.of(make),
        () -> {
          Throwable failure = make.failure();
          try {
            if (make.state() != Job.State.DONE || cancelled.getAsBoolean()) {
              throw new CancellationException("not built");
            }
            commit(built.get());
          } catch (Throwable e) {
            failure = failure == null ? e : failure;
            throw e;
          } finally {
            discard(built.get());
            ending.over(store, file, failure);
          }
        });
  }

  private void commit(List<PreparedFile> prepared) throws IOException {
    List<IndexFile> committed = new ArrayList<>();
    try {
      for (PreparedFile f : prepared) {
        committed.add(f.commit());
      }
    } finally {
      ending.committed(committed);
    }
  }

  /** Deletes what was not committed; what cannot be deleted now goes when the server starts. */
  private static void discard(List<PreparedFile> prepared) {
    for (PreparedFile f : prepared) {
      try {
        f.close();
      } catch (IOException e) {
        LOG.warn("Cannot delete the temporary file of {}", f, e);
      }
    }
  }

  private List<PreparedFile> built(HStore store, HStoreFile file, List<IndexDefinition> missing)
      throws IOException {
    List<PreparedFile> made = new ArrayList<>(streamed(file, missing));
    boolean done = false;
    try {
      made.addAll(build(store, file, without(made, missing)));
      done = true;
      return made;
    } finally {
      if (!done) {
        discard(made);
      }
    }
  }

  /** What was built while the HFile was written. */
  private List<PreparedFile> streamed(HStoreFile file, List<IndexDefinition> missing) {
    Optional<StreamedFiles> stream = streams.take(file.getPath().getName());
    if (stream.isEmpty()) {
      return List.of();
    }
    List<PreparedFile> made = List.of();
    try (StreamedFiles files = stream.get();
        StoreFileRun source = new StoreFileRun(file)) {
      made = files.finish(source.file(), source.reader());
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} must be read for its index files, but for {}", file, made, e);
    }
    Map<Boolean, List<PreparedFile>> byUse =
        made.stream().collect(Collectors.partitioningBy(f -> missing.contains(f.definition())));
    discard(byUse.get(false));
    service.metrics().streamedFiles.increment(byUse.get(true).size());
    return byUse.get(true);
  }

  private static List<IndexDefinition> without(
      List<PreparedFile> made, List<IndexDefinition> definitions) {
    List<IndexDefinition> rest = new ArrayList<>(definitions);
    made.forEach(f -> rest.remove(f.definition()));
    return rest;
  }

  private List<PreparedFile> build(HStore store, HStoreFile file, List<IndexDefinition> missing)
      throws IOException {
    if (missing.isEmpty()) {
      return List.of();
    }
    BuildSettings settings = service.buildSettings(store);
    Pacer pacer = service.runtime().newPacer();
    BooleanSupplier checkpoint =
        () -> {
          pacer.pace();
          return cancelled.getAsBoolean();
        };
    if (checkpoint.getAsBoolean()) {
      throw new CancellationException("the region closes");
    }
    List<PreparedFile> made = new ArrayList<>();
    boolean done = false;
    try {
      made.addAll(clustering(file, settings, of(Layout.CLUSTERING, missing), checkpoint));
      made.addAll(columnar(file, settings, of(Layout.COLUMNAR, missing), checkpoint));
      done = true;
      return made;
    } finally {
      if (!done) {
        discard(made);
      }
    }
  }

  private static List<IndexDefinition> of(Layout layout, List<IndexDefinition> definitions) {
    return definitions.stream().filter(d -> d.local().layout() == layout).toList();
  }

  private List<PreparedFile> clustering(
      HStoreFile file,
      BuildSettings settings,
      List<IndexDefinition> missing,
      BooleanSupplier checkpoint)
      throws IOException {
    if (missing.isEmpty()) {
      return List.of();
    }
    try (StoreFileSource source = new StoreFileSource(file);
        IndexBuilder builder =
            new IndexBuilder(directory, settings, file.getPath().getName(), missing, checkpoint)) {
      return builder.build(source);
    }
  }

  private List<PreparedFile> columnar(
      HStoreFile file,
      BuildSettings settings,
      List<IndexDefinition> missing,
      BooleanSupplier checkpoint)
      throws IOException {
    if (missing.isEmpty()) {
      return List.of();
    }
    try (StoreFileRun source = new StoreFileRun(file);
        ColumnFileBuilder builder = new ColumnFileBuilder(directory, settings, missing)) {
      return builder.build(source.file(), source.run(), checkpoint);
    }
  }

  private List<PreparedFile> compacted(
      HStore store, HStoreFile file, List<IndexDefinition> missing, Collection<String> inputs)
      throws IOException {
    List<PreparedFile> made = new ArrayList<>(streamed(file, missing));
    boolean done = false;
    try {
      int streamed = made.size();
      for (IndexDefinition d : of(Layout.CLUSTERING, missing)) {
        merge(store, file, d, inputs).ifPresent(made::add);
      }
      List<IndexDefinition> rest = without(made, missing);
      service.metrics().mergedFiles.increment(made.size() - streamed);
      service.metrics().rebuiltFiles.increment(rest.size());
      made.addAll(build(store, file, rest));
      done = true;
      return made;
    } finally {
      if (!done) {
        discard(made);
      }
    }
  }

  /** Empty if an input has no files, or if the compaction dropped a cell or joined two rows. */
  private Optional<PreparedFile> merge(
      HStore store, HStoreFile file, IndexDefinition definition, Collection<String> inputs)
      throws IOException {
    StoreFileReader reader = file.getReader();
    if (reader == null
        || !compactions.isFaithful(file.getPath().getName())
        || reader.getBloomFilterType() != BloomType.ROW
        || SpyhopAccess.bloom(reader) == null) {
      return Optional.empty();
    }
    List<IndexFile> files = new ArrayList<>();
    try {
      for (String input : inputs) {
        indexes.acquire(input, definition).ifPresent(files::add);
      }
      boolean same =
          files.size() == inputs.size()
              && files.stream().allMatch(IndexFile::isOwned)
              && IndexMerge.keptEverything(files, reader.getEntries(), reader.getFilterEntries());
      if (!same) {
        return Optional.empty();
      }
      return new IndexMerge(
              directory,
              service.buildSettings(store),
              file.getPath().getName(),
              definition,
              cancelled)
          .merge(files);
    } catch (IOException e) {
      LOG.warn("Cannot merge the index files of {}, {} is read", inputs, file, e);
      return Optional.empty();
    } finally {
      files.forEach(RegionJobs::release);
    }
  }

  private static void release(IndexFile file) {
    try {
      file.release();
    } catch (IOException e) {
      LOG.warn("Releasing {} failed", file, e);
    }
  }
}
