package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.com.google.common.base.Ticker;
import org.junit.jupiter.api.Test;

class PerTableTest {
  private final AtomicLong minutes = new AtomicLong();
  private final PerTable<Object> values =
      new PerTable<>(
          new Ticker() {
            @Override
            public long read() {
              return TimeUnit.MINUTES.toNanos(minutes.get());
            }
          });

  private Object get(String table) {
    return values.get(TableName.valueOf(table), t -> new Object());
  }

  @Test
  void whatIsUsedStaysAndWhatIsIdleGoes() {
    Object used = get("used");
    Object idle = get("idle");
    for (int i = 0; i < 3; i++) {
      minutes.addAndGet(PerTable.IDLE_MINUTES - 1);
      assertThat(get("used")).isSameAs(used);
    }
    assertThat(values.size()).isEqualTo(1);
    assertThat(get("idle")).isNotSameAs(idle);
  }

  @Test
  void thereIsABound() {
    for (int i = 0; i < 3 * PerTable.MOST; i++) {
      get("t" + i);
    }
    assertThat(values.size()).isEqualTo(PerTable.MOST);
  }
}
