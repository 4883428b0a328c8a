package io.spyhop.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.bucket.Rebalance;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RebalanceRequestTest {
  private static RebalanceRequest request(Duration pause) {
    return new RebalanceRequest(
        TableName.valueOf("orders"),
        new UUID(1, 2),
        List.of(ServerName.valueOf("host", 16_020, 3)),
        pause);
  }

  @Test
  void whatIsReadIsWhatWasWritten() throws Exception {
    for (Duration pause : List.of(Duration.ZERO, Rebalance.USUAL_PAUSE, Rebalance.MOST_PAUSE)) {
      RebalanceRequest request = request(pause);
      assertThat(RebalanceRequest.decode(request.encode())).isEqualTo(request);
    }
    assertThat(request(Duration.ofNanos(1_999_999)).pause()).isEqualTo(Duration.ofMillis(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT-0.001S", "PT5M0.001S", "PT2562047788015215H", "PT-2562047788015215H"})
  void aPauseOutOfItsBoundsIsRefused(String pause) {
    assertThatThrownBy(() -> request(Duration.parse(pause)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("table 'orders': a rebalance may pause for 0 to 300 s")
        .hasMessageContaining("and not for " + pause);
  }
}
