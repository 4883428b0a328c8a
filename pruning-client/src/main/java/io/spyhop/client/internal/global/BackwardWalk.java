package io.spyhop.client.internal.global;

import io.opentelemetry.context.Scope;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.EntryRows.Span;
import io.spyhop.core.protocol.EntryPage;
import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.trace.Work;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the newest entry of each row of an index in spans of its rows, from the last to the first.
 * Not thread-safe.
 */
final class BackwardWalk implements Walk {
  private final IndexCalls calls;
  private final IndexDefinition index;
  private final List<Span> spans;
  private int span;
  private byte[] to;

  /**
   * @param spans ascending and disjoint
   */
  BackwardWalk(IndexCalls calls, IndexDefinition index, List<Span> spans) {
    this.calls = calls;
    this.index = index;
    this.spans = spans;
    this.span = spans.size();
    toSpanBefore();
  }

  private void toSpanBefore() {
    span--;
    to = span < 0 ? null : spans.get(span).to();
  }

  /** The row of the index table before which the next page is; no bytes are the end. */
  @Override
  public Optional<byte[]> position() {
    return Optional.ofNullable(to);
  }

  @Override
  public List<Entry> next(int limit) throws IOException {
    if (to == null) {
      return List.of();
    }
    byte[] from = spans.get(span).from();
    try (Work work = Work.begin(Work.Kind.INDEX_READ);
        Scope ignored = work.inThisThread()) {
      EntryPage page =
          calls.pageBackwards(
              index, new PageRequest(index.incarnation(), from, to, Long.MAX_VALUE, false, limit));
      work.name("index", index.name()).count("entries", page.entries().size());
      goOn(page.next());
      return page.entries();
    }
  }

  private void goOn(Optional<byte[]> next) throws IOException {
    if (next.isEmpty()) {
      toSpanBefore();
      return;
    }
    if (to.length > 0 && Bytes.compareTo(next.get(), to) >= 0) {
      throw new IOException(
          "index '"
              + index.name()
              + "': a page that ends at "
              + Bytes.toStringBinary(to)
              + " says to go on before "
              + Bytes.toStringBinary(next.get()));
    }
    to = next.get();
  }
}
