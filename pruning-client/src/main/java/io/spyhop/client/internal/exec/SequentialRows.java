package io.spyhop.client.internal.exec;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;

/** Reads ranges one after the other in the calling thread. Not thread-safe. */
final class SequentialRows implements RowStream {
  private final Iterator<RowRange> ranges;
  private final RowSource.Opener opener;
  private RowRange range;
  private RowSource source;
  private boolean closed;

  SequentialRows(List<RowRange> ranges, RowSource.Opener opener) {
    this.ranges = ranges.iterator();
    this.opener = opener;
  }

  @Override
  public Result next() throws IOException {
    while (!closed && (source != null || ranges.hasNext())) {
      if (source == null) {
        range = ranges.next();
        source = opener.open(range);
      }
      Result row = source.next();
      if (row != null) {
        return row;
      }
      closeSource();
    }
    return null;
  }

  @Override
  public void close() {
    closed = true;
    closeSource();
  }

  private void closeSource() {
    RowSource ended = source;
    source = null;
    Sources.close(ended, range);
  }
}
