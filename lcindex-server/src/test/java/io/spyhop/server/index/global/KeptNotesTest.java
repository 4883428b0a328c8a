package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.BuiltRanges.Range;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.index.global.opening.OpeningMark;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class KeptNotesTest {
  private final Map<String, OpeningMark> stored = new HashMap<>();
  private int reads;
  private final KeptNotes notes =
      new KeptNotes(
          () -> {
            reads++;
            return ControlNotes.of(OptionalLong.empty(), List.of(), List.copyOf(stored.values()));
          });

  private static OpeningMark mark(int region, long number) {
    RegionInfo info =
        RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
            .setStartKey(Bytes.toBytes(region))
            .setRegionId(region)
            .build();
    Range rows = new Range(info.getStartKey(), info.getEndKey());
    ServerName server = ServerName.valueOf("here", 1, 100);
    return new OpeningMark(number, info.getRegionName(), rows, server, 5, true, 0, 1);
  }

  /** Stores marks and tells of a batch, as HBase does. */
  private void write(OpeningMark... marks) {
    Mutation[] puts = new Mutation[marks.length];
    for (int i = 0; i < marks.length; i++) {
      stored.put(marks[i].region(), marks[i]);
      puts[i] = ControlRows.mark(marks[i]);
    }
    tell(OperationStatusCode.SUCCESS, puts);
  }

  private void tell(OperationStatusCode code, Mutation... mutations) {
    OperationStatus[] states = new OperationStatus[mutations.length];
    Arrays.fill(states, new OperationStatus(code));
    notes.written(
        new MiniBatchOperationInProgress<>(
            mutations, states, null, 0, mutations.length, mutations.length));
  }

  private void requireAsStored() throws Exception {
    assertThat(notes.get().marks()).hasSameSizeAs(stored.values());
    for (OpeningMark m : stored.values()) {
      assertThat(notes.get().markOf(m.region()).orElseThrow().number()).isEqualTo(m.number());
    }
  }

  @Test
  void marksAreAppliedAsTheyAreWritten() throws Exception {
    requireAsStored();
    for (int i = 0; i < 100; i++) {
      write(mark(i, 10), mark(i + 1, 10));
      write(mark(i, 11));
      requireAsStored();
    }
    tell(OperationStatusCode.SUCCESS, new Put(Bytes.toBytes("entry")));
    ControlNotes last = notes.get();
    assertThat(notes.get()).isSameAs(last);
    assertThat(reads).isEqualTo(1);
  }

  @Test
  void allIsReadAgainAfterAnotherWriteOrOneThatFailed() throws Exception {
    write(mark(1, 10));
    requireAsStored();
    stored.clear();
    tell(OperationStatusCode.SUCCESS, new Delete(ControlRows.mark(mark(1, 10)).getRow()));
    requireAsStored();
    tell(OperationStatusCode.FAILURE, ControlRows.mark(mark(2, 10)));
    requireAsStored();
    assertThat(reads).isEqualTo(3);
  }

  @Test
  void moreWritesThanAreKeptAreReadAgain() throws Exception {
    requireAsStored();
    for (int i = 0; i < 2_000; i++) {
      write(mark(i % 7, i));
    }
    requireAsStored();
    write(mark(1, 5_000));
    requireAsStored();
    assertThat(reads).isEqualTo(2);
  }
}
