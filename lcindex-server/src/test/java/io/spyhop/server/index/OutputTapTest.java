package io.spyhop.server.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.junit.jupiter.api.Test;

/** Of what is thrown by who watches, nothing reaches the flush. */
class OutputTapTest {
  private final List<String> told = new ArrayList<>();

  /** One cell at a time, for ever. */
  private final class Cells implements InternalScanner {
    @Override
    public boolean next(List<Cell> result, ScannerContext context) {
      byte[] some = {1};
      return result.add(new KeyValue(some, some, some, some));
    }

    @Override
    public void close() {
      told.add("closed");
    }
  }

  private final class Throwing extends OutputTap {
    Throwing() {
      super(new Cells());
    }

    @Override
    protected void look(Cell cell) {
      throw new OutOfMemoryError("look");
    }

    @Override
    protected void ended() {
      throw new IllegalStateException("ended");
    }

    @Override
    protected void failed(Throwable why) {
      told.add(why.getMessage());
    }
  }

  @Test
  void whatIsThrownStays() throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Throwing tap = new Throwing()) {
      assertThat(tap.next(cells, null)).isTrue();
      assertThat(tap.next(cells, null)).isTrue();
    }
    assertThat(cells).hasSize(2);
    assertThat(told).containsExactly("look", "ended", "closed");
  }
}
