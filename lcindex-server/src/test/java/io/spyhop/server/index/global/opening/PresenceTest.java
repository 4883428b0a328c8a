package io.spyhop.server.index.global.opening;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.BuiltRanges.Range;
import io.spyhop.server.index.global.opening.ReportedOpenings.Presence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The word of a region's row in hbase:meta on marks, in each state of the region. */
class PresenceTest {
  private static final ServerName HERE = ServerName.valueOf("here", 1, 100);
  private static final ServerName THERE = ServerName.valueOf("there", 1, 100);
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

  /** Of an opening here, the seventh. */
  private static final OpeningMark MARK = mark(HERE, 7);

  private static OpeningMark mark(ServerName server, long seqNum) {
    Range all = new Range(new byte[0], new byte[0]);
    return new OpeningMark(5, REGION.getRegionName(), all, server, seqNum, true, 0, 1);
  }

  private static Cell cell(String qualifier, byte[] value) {
    return CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
        .setRow(REGION.getRegionName())
        .setFamily(HConstants.CATALOG_FAMILY)
        .setQualifier(Bytes.toBytes(qualifier))
        .setTimestamp(1)
        .setType(Cell.Type.Put)
        .setValue(value)
        .build();
  }

  /** A row whose last reported opening was a server's. */
  private static Result row(State state, ServerName last, long seqNum, ServerName target) {
    List<Cell> cells = new ArrayList<>();
    cells.add(cell("regioninfo", RegionInfo.toByteArray(REGION)));
    cells.add(cell("seqnumDuringOpen", Bytes.toBytes(seqNum)));
    cells.add(cell("server", Bytes.toBytes(last.getAddress().toString())));
    cells.add(cell("serverstartcode", Bytes.toBytes(last.getStartcode())));
    cells.add(cell("sn", Bytes.toBytes(target.toString())));
    cells.add(cell("state", Bytes.toBytes(state.name())));
    return Result.create(cells);
  }

  private static Optional<Presence> presence(OpeningMark mark, Result row) {
    return MetaOpenings.presence(mark, row, HERE::equals);
  }

  @Test
  void anOpenRegionIsKnownByTheMarkOfThisOpening() {
    assertThat(presence(MARK, row(State.OPEN, HERE, 7, HERE))).contains(Presence.OPEN);
    assertThat(presence(MARK, row(State.OPEN, HERE, 8, HERE))).isEmpty();
    assertThat(presence(MARK, row(State.OPEN, THERE, 7, THERE))).isEmpty();
    assertThat(presence(MARK, Result.EMPTY_RESULT)).isEmpty();
  }

  @Test
  void aRegionThatClosesIsKnownByTheMarkOfItsLastOpening() {
    for (State state : List.of(State.CLOSING, State.CLOSED, State.ABNORMALLY_CLOSED)) {
      assertThat(presence(MARK, row(state, HERE, 7, HERE))).contains(Presence.MOVING);
      assertThat(presence(MARK.closing(), row(state, HERE, 7, HERE))).contains(Presence.MOVING);
      assertThat(presence(MARK, row(state, THERE, 8, THERE))).isEmpty();
    }
  }

  /** Before it died it may have taken writes that hbase:meta does not know of. */
  @Test
  void aRegionWhoseNextServerDiedWhileItOpenedIsNotKnown() {
    for (State state : List.of(State.ABNORMALLY_CLOSED, State.FAILED_OPEN, State.CLOSED)) {
      assertThat(presence(MARK, row(state, HERE, 7, THERE))).isEmpty();
      assertThat(presence(MARK.closed(70), row(state, HERE, 7, THERE))).isEmpty();
    }
  }

  /** The server that opens it may have taken writes that hbase:meta does not know of yet. */
  @Test
  void aRegionThatOpensIsKnownIfItHasClosedAndIsOpenedWhereItIsWatched() {
    assertThat(presence(MARK.closed(70), row(State.OPENING, HERE, 7, HERE)))
        .contains(Presence.MOVING);
    assertThat(presence(MARK.closed(70), row(State.OPENING, HERE, 7, THERE)))
        .as("nobody knows whether it is watched there")
        .isEmpty();
    assertThat(presence(MARK, row(State.OPENING, HERE, 7, HERE)))
        .as("something may be restored")
        .isEmpty();
    assertThat(presence(MARK.closing(), row(State.OPENING, HERE, 7, HERE))).isEmpty();
  }

  @Test
  void aRegionThatOpensIsKnownByTheMarkOfTheOpeningThatIsUnderWay() {
    assertThat(presence(MARK, row(State.OPENING, THERE, 6, HERE))).contains(Presence.MOVING);
    assertThat(presence(MARK, row(State.OPENING, THERE, 7, HERE)))
        .as("an earlier opening here")
        .isEmpty();
    assertThat(presence(MARK, row(State.OPENING, THERE, 6, THERE))).isEmpty();
    assertThat(presence(MARK.closing(), row(State.OPENING, THERE, 6, HERE))).isEmpty();
  }
}
