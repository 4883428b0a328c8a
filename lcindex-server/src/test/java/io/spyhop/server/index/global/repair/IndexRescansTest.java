package io.spyhop.server.index.global.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The looks that answer for compactions, without HBase. */
class IndexRescansTest {
  private static final long INDEX = 7;

  private final IndexRescans looks = new IndexRescans();

  private static StagedNote note(String start, String end) {
    return new StagedNote(
        "region", Bytes.toBytes(start), Bytes.toBytes(end), new byte[1], Set.of(), List.of(INDEX));
  }

  @Test
  void oneAtATimeAndInParts() throws Exception {
    StagedNote note = note("", "");
    IndexRescans.Ticket first = looks.ticket(10);
    IndexRescans.Ticket second = looks.ticket(20);
    IndexRescans.Look look = looks.turn(INDEX, note, first).orElseThrow();
    assertThatThrownBy(() -> looks.turn(INDEX, note, second))
        .isInstanceOf(RepairHeldException.class);
    assertThat(looks.turn(8, note, second)).as("another index").isPresent();
    look.reached(new byte[] {5}, false);
    assertThat(looks.leave(look, note, first)).isFalse();
    IndexRescans.Look again = looks.turn(INDEX, note, second).orElseThrow();
    assertThat(again).as("the next goes on").isSameAs(look);
    assertThat(again.from()).containsExactly(5);
    assertThat(again.foundAt()).isEqualTo(10);
    again.reached(new byte[] {6}, true);
    assertThat(looks.leave(again, note, second)).isTrue();
    assertThat(looks.turn(INDEX, note, first)).isEmpty();
  }

  @Test
  void answersForAllOfItsRowsThatHadCommittedWhoeverBegins() throws Exception {
    IndexRescans.Ticket before = looks.ticket(10);
    IndexRescans.Ticket owedLonger = looks.ticket(9);
    IndexRescans.Ticket nothingOwed = looks.ticket(8);
    looks.done(nothingOwed);
    IndexRescans.Look look = looks.turn(INDEX, note("b", "m"), before).orElseThrow();
    assertThat(look.foundAt()).isEqualTo(9);
    IndexRescans.Ticket after = looks.ticket(30);
    look.reached(new byte[] {6}, true);
    assertThat(looks.leave(look, note("b", "m"), before)).isTrue();
    assertThat(looks.leave(look, note("c", "d"), before)).isTrue();
    assertThat(looks.leave(look, note("c", ""), before)).isFalse();
    assertThat(looks.leave(look, note("a", "d"), before)).isFalse();
    assertThat(looks.leave(look, note("b", "m"), after)).as("committed later").isFalse();
    assertThat(looks.leave(look, note("b", "m"), owedLonger)).isTrue();
    assertThat(looks.turn(INDEX, note("b", "m"), after)).isPresent();
  }

  @Test
  void anAnswerStaysOneWhenAnotherLookBegins() throws Exception {
    StagedNote note = note("", "");
    IndexRescans.Ticket first = looks.ticket(10);
    IndexRescans.Look look = looks.turn(INDEX, note, first).orElseThrow();
    look.reached(new byte[] {6}, true);
    assertThat(looks.leave(look, note, first)).isTrue();
    IndexRescans.Ticket later = looks.ticket(20);
    IndexRescans.Look next = looks.turn(INDEX, note, later).orElseThrow();
    assertThat(looks.turn(INDEX, note, first)).as("while it is taken").isEmpty();
    assertThat(looks.leave(next, note, later)).isFalse();
    assertThat(looks.turn(INDEX, note, first)).as("while it waits").isEmpty();
  }
}
