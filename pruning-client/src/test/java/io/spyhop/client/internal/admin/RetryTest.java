package io.spyhop.client.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.junit.jupiter.api.Test;

class RetryTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final VirtualTime time = new VirtualTime();
  private final Poll poll = time.poll();
  private final AtomicInteger asked = new AtomicInteger();

  private void ask(IOException... failures) throws IOException {
    Retry.until(
        poll,
        LIMIT,
        "create index 'i'",
        () -> {
          int n = asked.getAndIncrement();
          if (n < failures.length) {
            throw failures[n];
          }
          return n;
        });
  }

  @Test
  void asksAgainWhenAMasterDies() throws IOException {
    ask(
        new InterruptedIOException("the old one's thread was interrupted"),
        new ConnectException("nobody there"),
        new RemoteWithExtrasException(PleaseHoldException.class.getName(), "starting", false),
        new CallTimeoutException("busy"));
    assertThat(asked).hasValue(5);
  }

  @Test
  void takesARefusalForAnAnswer() {
    assertThatThrownBy(() -> ask(new DoNotRetryIOException("no")))
        .isInstanceOf(DoNotRetryIOException.class);
    IOException remote = new RemoteWithExtrasException(IOException.class.getName(), "no", true);
    asked.set(0);
    assertThatThrownBy(() -> ask(remote)).isSameAs(remote);
    assertThat(asked).hasValue(1);
  }

  @Test
  void endsAtTheDeadline() {
    assertThatThrownBy(
            () ->
                Retry.until(
                    poll,
                    LIMIT,
                    "create index 'i'",
                    () -> {
                      throw new ConnectException("nobody there");
                    }))
        .isInstanceOf(TimeoutIOException.class)
        .hasMessageContaining("create index 'i' has not ended after 20 s")
        .hasMessageContaining("nobody there");
  }

  @Test
  void endsWhenInterrupted() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> ask(new InterruptedIOException()))
          .isInstanceOf(InterruptedIOException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
