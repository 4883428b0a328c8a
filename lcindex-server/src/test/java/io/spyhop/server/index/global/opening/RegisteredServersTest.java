package io.spyhop.server.index.global.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A member of ZooKeeper's ensemble is believed when it has caught up; no cluster. */
class RegisteredServersTest {
  private static final String DEAD = "a,1,1";
  private static final String LIVING = "b,1,2";

  /** A member that is behind until it is told to catch up. */
  private static final class Behind implements RegisteredServers.Member {
    private final Code answer;
    private List<String> servers = List.of(DEAD, LIVING);

    /**
     * @param answer null if it gives none
     */
    Behind(Code answer) {
      this.answer = answer;
    }

    @Override
    public void sync(AsyncCallback.VoidCallback done) {
      if (answer == Code.OK) {
        servers = List.of(LIVING);
      }
      if (answer != null) {
        done.processResult(answer.intValue(), "/servers", null);
      }
    }

    @Override
    public List<String> servers() {
      return servers;
    }
  }

  private static List<String> list(Code answer) throws IOException {
    return new RegisteredServers(new Behind(answer), Duration.ofMillis(1)).get();
  }

  @AfterEach
  void isNotInterrupted() {
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void whoHasDiedIsNotListed() throws IOException {
    assertThat(list(Code.OK)).containsExactly(LIVING);
  }

  @Test
  void whoDoesNotCatchUpIsNotBelieved() {
    assertThatThrownBy(() -> list(Code.CONNECTIONLOSS))
        .isInstanceOf(IOException.class)
        .hasStackTraceContaining("code " + Code.CONNECTIONLOSS.intValue());
    assertThatThrownBy(() -> list(null)).isInstanceOf(IOException.class);
  }

  @Test
  void whoStopsWaitingStaysInterrupted() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> list(null)).isInstanceOf(IOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
