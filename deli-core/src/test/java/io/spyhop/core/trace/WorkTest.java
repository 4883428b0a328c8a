package io.spyhop.core.trace;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.junit.jupiter.api.Test;

/** Without an SDK nothing is made, set or kept. */
class WorkTest {
  @Test
  void nothingIsRecordedWithoutAnSdk() {
    try (Work work = Work.begin(Work.Kind.QUERY);
        Scope scope = work.inThisThread()) {
      assertThat(work.isRecorded()).isFalse();
      assertThat(scope).isSameAs(Scope.noop());
      assertThat(Context.current()).isSameAs(Context.root());
      assertThat(work.name("table", "t").count("rows", 1)).isSameAs(work);
      assertThat(work.beginPart(Work.Kind.REREAD)).isSameAs(work);
      work.failed(new IllegalStateException("x"));
      Runnable task = () -> {};
      assertThat(Work.inAnyThread(task)).isSameAs(task);
      assertThat(Work.carried()).isEmpty();
    }
  }

  @Test
  void whatIsCarriedIsNotBelieved() {
    byte[] some = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".getBytes(US_ASCII);
    for (byte[] carried : new byte[][] {null, {}, {0, -1}, "00-0-0-0".getBytes(US_ASCII), some}) {
      assertThat(Work.begin(Work.Kind.REGION, carried).isRecorded()).isFalse();
    }
    assertThat(Work.begin(Work.Kind.REGION, new byte[1 << 20]).isRecorded()).isFalse();
  }
}
