package io.spyhop.server.query.candidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.server.index.local.RecordCursor;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.query.report.QueryCounts;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CandidateStreamTest {
  /** The query falls back for its memory, and the file's index is not taken for unreadable. */
  @Test
  void memoryThatRunsOutWhileAFileIsReadIsSaidToBeThat() {
    List<String> calls = new ArrayList<>();
    QueryMemory memory = new QueryMemory(new MemoryBudget(0), 0);
    RecordCursor cursor =
        (RecordCursor)
            Proxy.newProxyInstance(
                RecordCursor.class.getClassLoader(),
                new Class<?>[] {RecordCursor.class},
                (proxy, method, args) -> {
                  calls.add(method.getName());
                  if (method.getName().equals("next")) {
                    memory.add(1);
                  }
                  return null;
                });
    try (CandidateStream stream =
        new CandidateStream(null, null, new QueryCounts(), List.of(), /* collectedToRead= */ 0)) {
      assertThatThrownBy(() -> stream.add(null, List.of(), cursor))
          .isInstanceOf(QueryMemory.ExhaustedException.class);
    }
    assertThat(calls).containsExactly("next", "close");
  }
}
