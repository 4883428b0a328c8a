package io.spyhop.client.internal.global;

import io.spyhop.client.VerifyReport;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.EntryRows.Span;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.VerifyPage;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares a global index with its base table, both ways and a page at a time, while writes go on.
 * An entry that the index lacks is missing if its row was built before and after; otherwise it may
 * be on its way, and counts as not compared. Not thread-safe.
 */
public final class Verification {
  private static final int PAGE = 2_000;
  private static final int SAMPLES = 20;
  private static final int TRIES = 4;

  /** All rows of an index table that are entries. */
  private static final Span ALL = new Span(new byte[] {0x01}, new byte[0]);

  private final IndexCalls calls;
  private final IndexDefinition index;
  private final boolean repair;
  private final List<Entry> missingSamples = new ArrayList<>();
  private final List<Entry> danglingSamples = new ArrayList<>();
  private long cells;
  private long missing;
  private long unchecked;
  private long entries;
  private long dangling;

  /**
   * @param repair whether to add what is missing and to hand in for repair what dangles
   */
  public Verification(IndexCalls calls, IndexDefinition index, boolean repair) {
    this.calls = calls;
    this.index = index;
    this.repair = repair;
  }

  /**
   * Goes through both tables.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the index has no table
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if the caller may not know, or the table
   *     is that of another incarnation
   */
  public VerifyReport run() throws IOException {
    Optional<byte[]> from = Optional.of(new byte[0]);
    BuiltRanges built = calls.built(index);
    while (from.isPresent()) {
      VerifyPage page = calls.missing(request(from.get(), List.of()));
      cells += page.looked();
      if (!page.wrong().isEmpty()) {
        BuiltRanges before = built;
        BuiltRanges after = calls.built(index);
        List<Entry> lacking =
            page.wrong().stream()
                .filter(e -> before.contains(e.row()) && after.contains(e.row()))
                .toList();
        missing += lacking.size();
        unchecked += page.wrong().size() - lacking.size();
        sample(lacking, missingSamples);
        built = after;
      }
      from = page.next();
    }
    EntryWalk walk =
        new EntryWalk(calls, index, new EntryWalk.Wanted(List.of(ALL), Long.MAX_VALUE, true));
    while (walk.position().isPresent()) {
      look(walk.next(PAGE));
    }
    return new VerifyReport(
        index.name(),
        cells,
        missing,
        entries,
        dangling,
        List.copyOf(missingSamples),
        List.copyOf(danglingSamples),
        unchecked,
        repair);
  }

  /**
   * The answers come region by region; a region that has been split meanwhile refuses. Entries that
   * no cell can have dangle, and no region needs to be asked.
   */
  private void look(List<Entry> found) throws IOException {
    List<Entry> some = found.stream().filter(Entry::isSound).toList();
    List<Entry> unsound = found.stream().filter(e -> !e.isSound()).toList();
    entries += unsound.size();
    dangling += unsound.size();
    sample(unsound, danglingSamples);
    for (int attempt = 1; ; attempt++) {
      try {
        List<VerifyPage> pages = calls.dangling(some, ofRegion -> request(new byte[0], ofRegion));
        for (VerifyPage page : pages) {
          entries += page.looked();
          dangling += page.wrong().size();
          sample(page.wrong(), danglingSamples);
        }
        return;
      } catch (IOException e) {
        if (attempt == TRIES) {
          throw e;
        }
        calls.forgetRegions();
      }
    }
  }

  private static void sample(List<Entry> wrong, List<Entry> samples) {
    wrong.stream().limit(SAMPLES - samples.size()).forEach(samples::add);
  }

  private VerifyRequest request(byte[] from, List<Entry> ofRegion) {
    return new VerifyRequest(index.name(), index.incarnation(), repair, from, PAGE, ofRegion);
  }
}
