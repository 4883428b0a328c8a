package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.protocol.RebalanceClaim;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.UUID;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class RebalanceClaimsTest {
  private Instant now = Instant.parse("2026-11-24T12:00:00Z");
  private final RebalanceClaims claims = new RebalanceClaims(new SetClock());
  private final RebalanceClaim one = claim("orders");
  private final RebalanceClaim other = claim("orders");

  private static RebalanceClaim claim(String table) {
    return new RebalanceClaim(TableName.valueOf(table), UUID.randomUUID());
  }

  private final class SetClock extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  @Test
  void oneAtATime() throws Exception {
    claims.claim(one, "ann");
    now = now.plusSeconds(60);
    assertThatThrownBy(() -> claims.claim(other, "bob"))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("table 'orders' is being rebalanced")
        .hasMessageContaining("by user 'ann' since 2026-11-24T12:00:00Z")
        .hasMessageContaining("forgotten in 121 s");
    assertThatCode(() -> claims.claim(one, "ann")).as("goes on").doesNotThrowAnyException();
    assertThatCode(() -> claims.claim(claim("fish"), "bob"))
        .as("another table")
        .doesNotThrowAnyException();
    claims.end(other);
    assertThatThrownBy(() -> claims.claim(other, "bob")).hasMessageContaining("by user 'ann'");
    claims.end(one);
    claims.claim(other, "bob");
    assertThatThrownBy(() -> claims.claim(one, "ann")).hasMessageContaining("by user 'bob'");
  }

  @Test
  void whoDiesIsForgotten() throws Exception {
    claims.claim(one, "ann");
    now = now.plus(RebalanceClaims.LEASE).minus(Duration.ofMillis(1));
    claims.claim(one, "ann");
    now = now.plus(RebalanceClaims.LEASE).minus(Duration.ofMillis(1));
    assertThatThrownBy(() -> claims.claim(other, "bob")).hasMessageContaining("forgotten in 1 s");
    now = now.plusMillis(1);
    claims.claim(other, "bob");
    assertThatThrownBy(() -> claims.claim(one, "ann"))
        .as("what comes late")
        .hasMessageContaining("by user 'bob'");
  }

  @Test
  void thereAreNotTooMany() throws Exception {
    for (int i = 0; i < RebalanceClaims.MOST; i++) {
      claims.claim(claim("t" + i), "ann");
    }
    assertThatThrownBy(() -> claims.claim(one, "bob")).hasMessageContaining("try later");
    now = now.plus(RebalanceClaims.LEASE);
    claims.claim(one, "bob");
  }
}
