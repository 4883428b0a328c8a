package io.spyhop.server.index.view;

import io.spyhop.core.io.IoRunnable;
import io.spyhop.core.protocol.RegionViews;
import io.spyhop.core.schema.ViewOption;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.runtime.Backoff;
import io.spyhop.server.runtime.Job;
import io.spyhop.server.runtime.JobKind;
import io.spyhop.server.runtime.Pacer;
import io.spyhop.server.view.BuildTerms;
import io.spyhop.server.view.Run;
import io.spyhop.server.view.SortedView;
import io.spyhop.server.view.UnfitFileException;
import io.spyhop.server.view.ViewTooLargeException;
import io.spyhop.server.view.store.RecentBlocks;
import io.spyhop.server.view.store.StoreViews;
import io.spyhop.server.view.store.ViewStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the view of one store in step with its HFiles: compares, as everything that is derived from
 * HFiles does here (docs/decisions/0001), and queues one job at a time for the difference. A view
 * whose runs are all there and to which some are missing is read until it has been extended; one of
 * whose runs one is gone is dropped. Thread-safe.
 */
public final class StoreView implements StoreViews {
  private static final Logger LOG = LoggerFactory.getLogger(StoreView.class);

  private final ViewService service;
  private final HRegion region;
  private final ViewStore store;
  private final ViewFiles files;
  private final Backoff backoff;
  private final ViewCredit credit = new ViewCredit();
  private final ReadFailures failures = new ReadFailures();
  private final String subject;
  private final LongAdder unused = new LongAdder();
  private final LongAdder damaged = new LongAdder();

  /** The names of HFiles of this store that can be in no view. */
  private final Set<String> unfit = ConcurrentHashMap.newKeySet();

  private volatile SortedView view;
  private volatile boolean asked;

  /** Whether anything was told since the last comparison began. */
  private volatile boolean changed;

  /** Of the view that did not fit last; null if the last one did. */
  private volatile Misfit misfit;

  private volatile Job job;
  private volatile boolean closed;
  private boolean loaded;
  private boolean looked;
  private long taken;

  StoreView(ViewService service, HRegion region, ViewStore store) {
    this.service = service;
    this.region = region;
    this.store = store;
    this.files = new ViewFiles(region, store.getColumnFamilyDescriptor());
    this.backoff = new Backoff(service.clock());
    this.subject =
        region.getRegionInfo().getEncodedName() + "/" + store.getColumnFamilyName() + " (view)";
  }

  private TableName table() {
    return region.getRegionInfo().getTable();
  }

  void open() {
    store.views(this);
    service.add(this);
  }

  void close() {
    closed = true;
    store.views(null);
    service.remove(this);
    drop();
    files.close();
  }

  @Override
  public RecentBlocks recent() {
    return service.recent();
  }

  @Override
  public SortedView current() {
    if (!asked) {
      asked = true;
      tell();
    }
    return view;
  }

  @Override
  public void used() {
    service.metrics().viewScans.increment();
  }

  /** HFiles that can be in no view are no loss. */
  @Override
  public void missed(int hfiles) {
    int lost = hfiles - unfit.size();
    if (lost > 0) {
      credit.lose(lost);
      tell();
    }
  }

  private void tell() {
    if (!changed) {
      changed = true;
      service.wake(this);
    }
  }

  boolean isChanged() {
    return changed;
  }

  /** The disk's or the network's fault, most likely, which no other view would mend. */
  @Override
  public void unread(SortedView failed, IOException failure) {
    if (failures.add(failed, service.clock().getAsLong())) {
      failed(failed, failure);
    }
  }

  @Override
  public void failed(SortedView failed, Exception failure) {
    LOG.warn("The sorted view of {} is dropped and made again: {}", subject, failed, failure);
    damaged();
    backoff.failed(subject, failure.toString());
    synchronized (this) {
      if (view == failed) {
        drop();
      }
    }
    tell();
  }

  private void damaged() {
    damaged.increment();
    service.metrics().damagedViews.increment();
  }

  private void read(long bytes) {
    service.metrics().viewReadBytes.increment(bytes);
  }

  private void unused() {
    unused.increment();
    service.metrics().unusedViews.increment();
  }

  /** The HFiles have changed. */
  void changed() {
    asked = true;
    synchronized (this) {
      SortedView current = view;
      if (current != null && !known(live()).containsAll(names(current))) {
        drop();
      }
    }
    tell();
  }

  private synchronized void drop() {
    view = null;
    store.forget();
    service.memory().replace(taken, 0);
    taken = 0;
  }

  /**
   * Queues what is to be done, if anything.
   *
   * @return whether there will be nothing until something is told
   */
  boolean reconcile() {
    changed = false;
    try {
      return compare();
    } catch (IOException | RuntimeException e) {
      service.complaints().warn(LOG, "Comparing sorted views", table(), subject, e);
      return false;
    }
  }

  private synchronized boolean compare() throws IOException {
    if (closed || isPending() || isCancelled() || !backoff.mayTry(subject)) {
      return closed;
    }
    if (!loaded) {
      if (!looked) {
        looked = true;
        asked |= !files.exists();
      }
      if (asked) {
        queue(this::load);
      }
      return !asked;
    }
    List<HStoreFile> live = live();
    SortedView current = view;
    if (current != null && !known(live).containsAll(names(current))) {
      drop();
      current = null;
    }
    ViewPlan plan = plan(current, live);
    if (plan != null) {
      queue(() -> build(plan));
      return false;
    }
    if (live.size() < 2 || current != null && current.runs().size() == live.size()) {
      misfit = null;
    }
    return misfit == null; // there may be room for one that did not fit
  }

  /**
   * What is to be made now, unless the last view that did not fit says that it will not; or null.
   */
  private ViewPlan plan(SortedView current, List<HStoreFile> live) {
    credit.see(live, current);
    ViewPlan plan = ViewPlan.of(store.getComparator(), current, live, credit);
    Misfit last = misfit;
    boolean isTooMuch = plan != null && last != null && last.isAlsoOf(known(plan.files()), room());
    return isTooMuch ? null : plan;
  }

  /** Whether a newer view is being made or read, or soon will be. */
  private boolean isOwed() {
    boolean due = loaded ? plan(view, live()) != null : asked;
    return isPending() || due && backoff.lastError().isEmpty();
  }

  private boolean isCancelled() {
    return closed || region.isClosing() || region.isClosed();
  }

  private void queue(IoRunnable work) {
    Job made = new Job(JobKind.VIEW, subject, List.of(), () -> run(work));
    job = made;
    if (!service.submit(made)) {
      job = null;
    }
  }

  /** A job that is cancelled before it runs does not say so. */
  private boolean isPending() {
    Job last = job;
    return last != null && !last.state().isEnded();
  }

  private void run(IoRunnable work) throws IOException {
    long began = ViewService.cpuMicros();
    try {
      if (isCancelled()) {
        throw new CancellationException("the region closes");
      }
      work.run();
      backoff.succeeded(subject);
    } catch (CancellationException e) {
      throw e;
    } catch (UnfitFileException e) {
      unfit.add(e.file());
      LOG.info("The sorted view of {} is made without an HFile: {}", subject, e.getMessage());
    } catch (IOException | RuntimeException | Error e) {
      backoff.failed(subject, e.toString());
      if (!isCancelled()) {
        service.complaints().warn(LOG, "Making sorted views", table(), subject, e);
        throw e;
      }
    } finally {
      service.metrics().viewCpuMicros.increment(ViewService.cpuMicros() - began);
      job = null;
    }
  }

  /** Takes over what was written before the region was opened, if it is still so. */
  private void load() throws IOException {
    try {
      SortedView read = files.read(service.memory().room(), this::read).orElse(null);
      if (read != null && isOf(read, live())) {
        publish(read);
      }
    } catch (ViewTooLargeException e) {
      LOG.info("The sorted view of {} that was written is not read: {}", subject, e.getMessage());
    } catch (CorruptFrameException e) {
      damaged();
      LOG.warn("{} is damaged and made again", files, e);
      files.delete();
    } finally {
      synchronized (this) {
        loaded = true;
      }
    }
  }

  private static boolean isOf(SortedView read, List<HStoreFile> live) {
    Map<String, Run> runs = new HashMap<>();
    List<String> order = new ArrayList<>();
    for (HStoreFile f : live) {
      Run run = ViewBuild.run(f, f.getReader());
      runs.put(run.name(), run);
      order.add(run.name());
    }
    order.retainAll(names(read));
    return order.equals(List.copyOf(names(read)))
        && read.runs().stream().allMatch(r -> r.isSameFile(runs.get(r.name())));
  }

  private static long entries(List<HStoreFile> live) {
    return live.stream().mapToLong(f -> f.getReader().getEntries()).sum();
  }

  /** The view that there is stays until the next one is in its place. */
  private void build(ViewPlan plan) throws IOException {
    long entries = entries(plan.files());
    long room = room();
    try {
      if (entries > room) {
        throw new ViewTooLargeException(
            "a view of " + entries + " keys takes as many bytes, and more", entries, 0);
      }
      make(plan, room);
      misfit = null;
    } catch (ViewTooLargeException e) {
      unused();
      long left = Math.min(room, room()); // other views may have come meanwhile
      misfit = Misfit.of(known(plan.files()), entries, left, service.memory().bound(), e);
      LOG.info("There is no newer sorted view of {}: {}", subject, misfit.message());
    }
  }

  private void make(ViewPlan plan, long room) throws IOException {
    SortedView old = plan.old();
    if (old != null && old != view) {
      return; // it has been dropped since
    }
    Pacer pacer = service.newPacer();
    BuildTerms terms =
        new BuildTerms(
            service.interval(),
            room,
            () -> {
              pacer.pace();
              if (isCancelled()) {
                throw new CancellationException("the region closes");
              }
            });
    SortedView made;
    try (ViewBuild build =
        new ViewBuild(
            store.getComparator(),
            store.getColumnFamilyDescriptor().getName(),
            plan.files(),
            terms)) {
      try {
        made = build.build(old);
      } finally {
        read(build.read());
        credit.spend(build.read());
      }
    }
    (old == null ? service.metrics().mergedViews : service.metrics().extendedViews).increment();
    publish(made);
    files.write(made);
  }

  /** Bytes that a view may take in place of the one that there is. */
  private synchronized long room() {
    return service.memory().room() + taken;
  }

  private synchronized void publish(SortedView made) throws ViewTooLargeException {
    if (closed) {
      return;
    }
    long size = made.size();
    if (!service.memory().replace(taken, size)) {
      throw new ViewTooLargeException("a view takes " + size + " bytes", size, 0);
    }
    taken = size;
    view = made;
    store.forget();
  }

  /** The HFiles that a view can be of, the newest last, as HBase ranks them. */
  private List<HStoreFile> live() {
    List<HStoreFile> live = new ArrayList<>();
    Collection<HStoreFile> all = store.getStorefiles();
    if (!unfit.isEmpty()) {
      unfit.retainAll(known(all));
    }
    for (HStoreFile f : all) {
      if (!unfit.contains(f.getPath().getName()) && isReadable(f)) {
        live.add(f);
      }
    }
    live.sort(SpyhopAccess.byAge());
    return live;
  }

  private static boolean isReadable(HStoreFile file) {
    StoreFileReader reader = file.getReader();
    return reader != null
        && reader.getClass() == StoreFileReader.class
        && !file.isReference()
        && !HFileLink.isHFileLink(file.getPath())
        && ViewOption.isReadable(reader.getHFileReader().getDataBlockEncoding());
  }

  private static Set<String> known(Collection<HStoreFile> files) {
    Set<String> names = new HashSet<>();
    files.forEach(f -> names.add(f.getPath().getName()));
    return names;
  }

  private static Set<String> names(SortedView of) {
    Set<String> names = new LinkedHashSet<>();
    of.runs().forEach(r -> names.add(r.name()));
    return names;
  }

  /** How far the view is. */
  synchronized RegionViews.View state() {
    SortedView current = view;
    return new RegionViews.View(
        store.getColumnFamilyName(),
        store.getStorefilesCount(),
        current == null ? 0 : current.runs().size(),
        current == null ? 0 : current.keys(),
        taken,
        isOwed(),
        unused.sum(),
        damaged.sum(),
        misfit == null ? backoff.lastError() : misfit.message());
  }

  @Override
  public String toString() {
    return subject;
  }
}
