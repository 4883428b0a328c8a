package io.spyhop.client.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.IndexStatus.State;
import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.protocol.RegionStatus.Build;
import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class StatusSummaryTest {
  private static final IndexDefinition INDEX =
      IndexDefinition.builder("price").column("d:price").type(ValueType.LONG).build();

  private static HRegionLocation location(String start) {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("orders"))
            .setStartKey(Bytes.toBytes(start))
            .setRegionId(1)
            .build();
    return new HRegionLocation(region, ServerName.valueOf("host", 16020, 1));
  }

  private static IndexState state(long incarnation, int files, int covered, String error) {
    return new IndexState("price", incarnation, files, covered, 10, 2, 1, 100, 5, 3, 9, error);
  }

  private static RegionAnswer<RegionStatus> answer(String start, IndexState... states) {
    HRegionLocation location = location(start);
    RegionStatus status =
        new RegionStatus(
            location.getRegion().getEncodedName(), "host,16020,1", List.of(states), List.of());
    return new RegionAnswer<>(location, Optional.of(status), "");
  }

  private static RegionAnswer<RegionStatus> silent(String start, String failure) {
    return new RegionAnswer<>(location(start), Optional.empty(), failure);
  }

  private static IndexState fresh(int files, int covered) {
    return state(INDEX.incarnation(), files, covered, "");
  }

  @Test
  void addsUp() {
    IndexStatus.Local status =
        StatusSummary.local(INDEX, List.of(answer("a", fresh(3, 3)), answer("b", fresh(2, 1))));
    assertThat(status)
        .isEqualTo(
            new IndexStatus.Local(
                INDEX, State.BUILDING, 2, 2, 5, 4, 20, 4, 2, 200, 10, 6, List.of()));
    assertThat(status.progress())
        .isEqualTo("index 'price' BUILDING: 4 of 5 HFiles covered, 2 of 2 regions answered");
  }

  @Test
  void activeWhenAllIsCoveredWhateverIsPending() {
    assertThat(
            StatusSummary.local(INDEX, List.of(answer("a", fresh(3, 3)), answer("b", fresh(0, 0)))))
        .extracting(IndexStatus.Local::state, IndexStatus.Local::pending)
        .containsExactly(State.ACTIVE, 6);
  }

  @Test
  void anotherIncarnationDoesNotCount() {
    IndexStatus.Local status =
        StatusSummary.local(
            INDEX,
            List.of(
                answer("a", fresh(3, 3)), answer("b", state(INDEX.incarnation() + 1, 2, 2, ""))));
    assertThat(status.state()).isEqualTo(State.BUILDING);
    assertThat(status.regionsAnswered()).isEqualTo(1);
    assertThat(status.files()).isEqualTo(3);
    assertThat(status.errors()).as("it will be there after the next refresh").isEmpty();
  }

  @Test
  void anAnswerOfAnotherRegionDoesNotCount() {
    RegionAnswer<RegionStatus> daughter =
        new RegionAnswer<>(location("b"), answer("a", fresh(1, 1)).answer(), "");
    assertThat(StatusSummary.local(INDEX, List.of(daughter)))
        .extracting(IndexStatus.Local::state, IndexStatus.Local::regionsAnswered)
        .containsExactly(State.BUILDING, 0);
  }

  /** Two regions at 100 and 300 bytes a second have 800 left; one waits, and one is built. */
  @Test
  void theTimeThatABuildTakesIsThatOfTheRegionsThatAreRead() {
    List<RegionAnswer<RegionStatus>> answers =
        List.of(
            answer("a", building(new Build(5, 200, 600, 2000))),
            answer("b", building(new Build(7, 300, 400, 1000))),
            answer("c", building(new Build(0, 0, 300, 0))),
            answer("d", IndexState.ofGlobal(INDEX, true, new Build(9, 900, 900, 0), 0, 0, "")));
    IndexStatus.Global status = StatusSummary.global(INDEX, State.BUILDING, 1, answers, List.of());
    assertThat(status.build())
        .contains(new IndexStatus.Build(21, 1400, 2200, Optional.of(Duration.ofSeconds(2))));
    assertThat(status.covers())
        .isEqualTo("1 of 4 regions built, 21 rows read, 0.0 of 0.0 MB, 2 s left");
    assertThat(StatusSummary.global(INDEX, State.BUILDING, 0, answers.subList(2, 3), List.of()))
        .extracting(IndexStatus::covers)
        .isEqualTo("0 of 1 regions built, 0 rows read, 0.0 of 0.0 MB");
    assertThat(StatusSummary.global(INDEX, State.ACTIVE, 4, answers, List.of()).build()).isEmpty();
  }

  private static IndexState building(Build build) {
    return IndexState.ofGlobal(INDEX, false, build, 0, 0, "");
  }

  @Test
  void silenceIsAnError() {
    IndexStatus.Local status =
        StatusSummary.local(
            INDEX,
            List.of(
                answer("a", fresh(3, 3)),
                silent("b", ""),
                silent("c", "region is moving\n\tat some.Stack(Line.java:1)")));
    assertThat(status.state()).isEqualTo(State.BUILDING);
    assertThat(status.regions()).isEqualTo(3);
    assertThat(status.errors())
        .containsExactly(
            "region "
                + location("c").getRegion().getEncodedName()
                + " on host,16020,1: region is moving",
            "1 region has nothing to say: is Spyhop installed on their servers?");
  }

  @Test
  void listsErrorsOfRegions() {
    HRegionLocation b = location("b");
    RegionStatus unreadable =
        new RegionStatus(
            b.getRegion().getEncodedName(),
            "host,16020,1",
            List.of(),
            List.of("index 'other': broken", "index 'price': definition version 2"));
    IndexStatus.Local status =
        StatusSummary.local(
            INDEX,
            List.of(
                answer("a", state(INDEX.incarnation(), 2, 1, "disk is full")),
                new RegionAnswer<>(b, Optional.of(unreadable), "")));
    assertThat(status.errors())
        .hasSize(2)
        .anySatisfy(e -> assertThat(e).endsWith("host,16020,1: disk is full"))
        .anySatisfy(e -> assertThat(e).endsWith(": index 'price': definition version 2"));
    assertThat(status.progress()).contains("disk is full");
  }

  @Test
  void theListOfErrorsIsBounded() {
    List<RegionAnswer<RegionStatus>> answers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      answers.add(silent(String.format("r%03d", i), "gone " + i));
    }
    assertThat(StatusSummary.local(INDEX, answers).errors())
        .hasSize(StatusSummary.MAX_ERRORS + 1)
        .contains("and 80 more")
        .noneMatch(e -> e.contains("is Spyhop installed"));
  }

  /** No guess, and not once for each of thousands of regions. */
  @Test
  void whatIsSaidOfAllIsSaidOnce() {
    List<RegionAnswer<RegionStatus>> answers =
        List.of(silent("a", "the table is disabled"), silent("b", "the table is disabled"));
    assertThat(StatusSummary.local(INDEX, answers).errors())
        .containsExactly("the table is disabled");
  }
}
