package io.spyhop.client.internal.global;

import io.opentelemetry.context.Scope;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.EntryRows.Span;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.EntryPage;
import io.spyhop.core.protocol.SearchPage;
import io.spyhop.core.protocol.SearchRequest;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.trace.Work;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the entries of an index in spans of its rows, in order and a page at a time: all spans of a
 * region with one call. Used by one thread after the other.
 */
final class EntryWalk implements Walk {
  /** The spans to read, and the versions wanted of each. */
  record Wanted(List<Span> spans, long before, boolean everyVersion) {}

  private final IndexCalls calls;
  private final IndexDefinition index;
  private final Wanted wanted;

  /** What is left. */
  private final Deque<Span> spans;

  private List<BuiltRanges.Range> missing = List.of();

  EntryWalk(IndexCalls calls, IndexDefinition index, Wanted wanted) {
    this.calls = calls;
    this.index = index;
    this.wanted = wanted;
    this.spans = new ArrayDeque<>(wanted.spans);
  }

  /** Leaves out what is before a position that another walk was at. */
  EntryWalk startAt(byte[] position) {
    while (!spans.isEmpty() && isBehind(position)) {
      spans.remove();
    }
    if (!spans.isEmpty() && Bytes.compareTo(position, spans.element().from()) > 0) {
      spans.push(new Span(position, spans.remove().to()));
    }
    return this;
  }

  /** Whether all of the first span is before the position. */
  private boolean isBehind(byte[] position) {
    byte[] to = spans.element().to();
    return to.length > 0 && Bytes.compareTo(position, to) >= 0;
  }

  /** The row of the index table where the next page starts. */
  @Override
  public Optional<byte[]> position() {
    return Optional.ofNullable(spans.peek()).map(Span::from);
  }

  /** The spans that are not read yet. */
  Deque<Span> left() {
    return spans;
  }

  @Override
  public List<Entry> next(int limit) throws IOException {
    if (spans.isEmpty()) {
      return List.of();
    }
    try (Work work = Work.begin(Work.Kind.INDEX_READ);
        Scope ignored = work.inThisThread()) {
      SearchPage answer = calls.search(index, request(limit));
      EntryPage page = answer.page();
      work.name("index", index.name()).count("entries", page.entries().size());
      missing = answer.built().missing();
      advance(page.next());
      return page.entries();
    }
  }

  private SearchRequest request(int limit) {
    return new SearchRequest(
        index.incarnation(), new ArrayList<>(spans), wanted.before, wanted.everyVersion, limit);
  }

  /** The rows of the base table that lacked some of their entries before the last page was read. */
  List<BuiltRanges.Range> missing() {
    return missing;
  }

  private void advance(Optional<byte[]> next) throws IOException {
    if (next.isEmpty()) {
      spans.clear();
      return;
    }
    byte[] from = spans.element().from();
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
