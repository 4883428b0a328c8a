package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** No connection is forgotten, without HBase. */
class LateConnectionTest {
  private final List<CompletableFuture<Closeable>> opened = new ArrayList<>();
  private final AtomicInteger closed = new AtomicInteger();
  private final LateConnection<Closeable> connection =
      new LateConnection<>(
          () -> {
            opened.add(new CompletableFuture<>());
            return opened.get(opened.size() - 1);
          });

  @Test
  void whatComesLateIsUsedByWhoAsksNext() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> connection.get(1)).isInstanceOf(IOException.class);
    }
    assertThat(opened).hasSize(1);
    Closeable late = closed::incrementAndGet;
    opened.get(0).complete(late);
    assertThat(connection.get(1)).isSameAs(late);
    connection.close();
    assertThat(closed).hasValue(1);
  }

  @Test
  void whatComesAfterTheEndIsClosed() {
    assertThatThrownBy(() -> connection.get(1)).isInstanceOf(IOException.class);
    connection.close();
    opened.get(0).complete(closed::incrementAndGet);
    assertThat(closed).hasValue(1);
    assertThatThrownBy(() -> connection.get(1)).isInstanceOf(InterruptedIOException.class);
  }

  @Test
  void whatFailedIsTriedAgain() throws Exception {
    assertThatThrownBy(() -> connection.get(1)).isInstanceOf(IOException.class);
    opened.get(0).completeExceptionally(new IOException("no"));
    assertThatThrownBy(() -> connection.get(1)).isInstanceOf(IOException.class);
    assertThat(opened).hasSize(2);
  }
}
