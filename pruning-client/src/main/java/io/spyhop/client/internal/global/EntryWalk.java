package io.spyhop.client.internal.global;

import io.opentelemetry.context.Scope;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.EntryRows.Span;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.EntryPage;
import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.protocol.SearchPage;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.trace.Work;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the entries of an index in spans of its rows, in order and a page at a time. Not
 * thread-safe.
 */
final class EntryWalk implements Walk {
  /** The spans to read, and the versions wanted of each. */
  record Wanted(List<Span> spans, long before, boolean everyVersion) {}

  private final IndexCalls calls;
  private final IndexDefinition index;
  private final Wanted wanted;
  private BuiltRanges built;
  private int span;
  private byte[] from;

  EntryWalk(IndexCalls calls, IndexDefinition index, Wanted wanted) {
    this.calls = calls;
    this.index = index;
    this.wanted = wanted;
    start();
  }

  private void start() {
    from = span < wanted.spans.size() ? wanted.spans.get(span).from() : null;
  }

  /** Leaves out what is before a position that another walk was at. */
  EntryWalk startAt(byte[] position) {
    while (from != null && isBehind(position)) {
      span++;
      start();
    }
    if (from != null && Bytes.compareTo(position, from) > 0) {
      from = position;
    }
    return this;
  }

  /** Whether all of the span is before the position. */
  private boolean isBehind(byte[] position) {
    byte[] to = wanted.spans.get(span).to();
    return to.length > 0 && Bytes.compareTo(position, to) >= 0;
  }

  /** The row of the index table where the next page starts. */
  @Override
  public Optional<byte[]> position() {
    return Optional.ofNullable(from);
  }

  @Override
  public List<Entry> next(int limit) throws IOException {
    if (from == null) {
      return List.of();
    }
    byte[] to = wanted.spans.get(span).to();
    EntryPage page =
        read(
            new PageRequest(
                index.incarnation(), from, to, wanted.before, wanted.everyVersion, limit));
    advance(page.next());
    return page.entries();
  }

  /**
   * The rows of the base table that had all their entries before the first page was read; empty
   * before it is.
   */
  Optional<BuiltRanges> built() {
    return Optional.ofNullable(built);
  }

  private EntryPage read(PageRequest request) throws IOException {
    try (Work work = Work.begin(Work.Kind.INDEX_READ);
        Scope ignored = work.inThisThread()) {
      EntryPage page = built == null ? first(request) : calls.page(index, request);
      work.name("index", index.name()).count("entries", page.entries().size());
      return page;
    }
  }

  private EntryPage first(PageRequest request) throws IOException {
    SearchPage first = calls.search(index, request);
    built = first.built();
    return first.page();
  }

  private void advance(Optional<byte[]> next) throws IOException {
    if (next.isEmpty()) {
      span++;
      start();
      return;
    }
    if (Bytes.compareTo(next.get(), from) <= 0) {
      throw new IOException(
          "index '"
              + index.name()
              + "': a page that starts at "
              + Bytes.toStringBinary(from)
              + " says to go on at "
              + Bytes.toStringBinary(next.get()));
    }
    startAt(next.get());
  }
}
