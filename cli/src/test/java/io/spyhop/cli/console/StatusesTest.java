package io.spyhop.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.console.Snapshot.Index;
import io.spyhop.cli.console.Snapshot.View;
import io.spyhop.client.IndexStatus;
import io.spyhop.client.ViewStatus;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueType;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sums over what did not answer are not known. */
class StatusesTest {
  private static IndexStatus local(int answered) {
    IndexDefinition index =
        IndexDefinition.builder("price").column("d:price").type(ValueType.LONG).build();
    return new IndexStatus.Local(
        index, IndexStatus.State.BUILDING, 4, answered, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
  }

  @Test
  void anIndexOfWhichNoRegionAnswered() {
    Index none = Statuses.of(local(0));
    assertThat(none.answered()).isZero();
    assertThat(none.entries()).isNull();
    assertThat(none.bytes()).isNull();
    assertThat(none.pending()).isNull();
    assertThat(Statuses.of(local(1)).entries()).isZero();
  }

  private static ViewStatus view(boolean answered, String problem) {
    return new ViewStatus(
        "r",
        "s,1,1",
        "",
        "d",
        answered ? 3 : 0,
        answered ? 2 : 0,
        10,
        100,
        false,
        0,
        0,
        problem,
        answered);
  }

  @Test
  void viewsAreThoseOfRegionsThatAnswered() {
    List<View> views =
        Statuses.views(List.of(view(true, ""), view(false, "no answer"), view(false, "no answer")));
    assertThat(views).containsExactly(new View("d", 3, 1, 3, 2, 100, 0, List.of("no answer")));
  }
}
