package io.spyhop.core.trace;

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
    }
  }
}
