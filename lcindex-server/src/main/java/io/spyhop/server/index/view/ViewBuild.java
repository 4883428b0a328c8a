package io.spyhop.server.index.view;

import io.spyhop.server.view.BuildTerms;
import io.spyhop.server.view.Run;
import io.spyhop.server.view.SortedView;
import io.spyhop.server.view.ViewExtension;
import io.spyhop.server.view.ViewMerge;
import io.spyhop.server.view.store.HFileRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/** Makes one view of some of a store's HFiles, to which it keeps references. Not thread-safe. */
public final class ViewBuild implements AutoCloseable {
  /** One HFile; its scanner is never moved, and keeps the file. */
  private record Held(Run run, StoreFileScanner scanner) {
    StoreFileReader reader() {
      return SpyhopAccess.reader(scanner);
    }

    HFileRun discover() {
      return HFileRun.discover(reader().getHFileReader(), SpyhopAccess.shownSequence(reader()));
    }

    HFileRun walk(Run known) {
      return HFileRun.of(
          reader().getHFileReader(), false, SpyhopAccess.shownSequence(reader()), known);
    }
  }

  private final CellComparator comparator;
  private final byte[] family;
  private final BuildTerms terms;
  private final List<Held> files = new ArrayList<>();
  private final List<HFileRun> open = new ArrayList<>();

  /**
   * Takes hold of the files.
   *
   * @param files by rank, the newest last
   */
  public ViewBuild(
      CellComparator comparator, byte[] family, List<HStoreFile> files, BuildTerms terms)
      throws IOException {
    this.comparator = comparator;
    this.family = family;
    this.terms = terms;
    boolean ready = false;
    try {
      for (HStoreFile f : files) {
        StoreFileScanner scanner = f.getPreadScanner(false, Long.MAX_VALUE, 0, false);
        this.files.add(new Held(run(f, SpyhopAccess.reader(scanner)), scanner));
      }
      ready = true;
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  /** Which file this is, its blocks apart. */
  static Run run(HStoreFile file, StoreFileReader reader) {
    return new Run(
        file.getPath().getName(),
        reader.length(),
        reader.getEntries(),
        file.getMaxSequenceId(),
        new long[0],
        new int[0]);
  }

  /**
   * The view.
   *
   * @param old a view of some of the files and no others, which is extended; null to merge them all
   */
  public SortedView build(SortedView old) throws IOException {
    SortedView view = old == null ? merge() : old;
    for (int rank = 0; rank < files.size(); rank++) {
      if (view.rank(files.get(rank).run.name()) < 0) {
        view = extend(view, rank);
      }
    }
    return view;
  }

  private SortedView merge() throws IOException {
    List<HFileRun> cursors = new ArrayList<>();
    for (Held f : files) {
      cursors.add(opened(f.discover()));
    }
    return ViewMerge.merge(comparator, family, cursors, terms, () -> runs(cursors));
  }

  private List<Run> runs(List<HFileRun> cursors) {
    List<Run> runs = new ArrayList<>();
    for (int r = 0; r < cursors.size(); r++) {
      runs.add(cursors.get(r).withBlocks(files.get(r).run));
    }
    return runs;
  }

  /** By one of the files; those of lower rank that are missing have been added before. */
  private SortedView extend(SortedView old, int rank) throws IOException {
    List<HFileRun> searching = new ArrayList<>();
    List<HFileRun> stepping = new ArrayList<>();
    for (Run run : old.runs()) {
      Held file = find(run);
      searching.add(opened(file.walk(run)));
      stepping.add(opened(file.walk(run)));
    }
    Held added = files.get(rank);
    HFileRun cursor = opened(added.discover());
    return ViewExtension.extend(
        comparator,
        old,
        new ViewExtension.Cursors(searching, stepping),
        cursor,
        rank,
        terms,
        () -> cursor.withBlocks(added.run));
  }

  private Held find(Run run) throws IOException {
    for (Held f : files) {
      if (f.run.isSameFile(run)) {
        return f;
      }
    }
    throw new IOException(run + " is in the view and not among the files");
  }

  /** Bytes of the HFiles that were read. */
  long read() {
    return open.stream().mapToLong(HFileRun::read).sum();
  }

  private HFileRun opened(HFileRun run) {
    open.add(run);
    return run;
  }

  @Override
  public void close() {
    open.forEach(HFileRun::close);
    files.forEach(f -> f.scanner.close());
  }
}
