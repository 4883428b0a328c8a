package io.spyhop.server.index.global;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.EntryBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored")
class EntrySenderTest {
  private record Sent(List<Put> puts, CompletableFuture<byte[]> answer) {}

  private final List<Sent> calls = new ArrayList<>();
  private final List<Put> detoured = new ArrayList<>();
  private final CompletableFuture<Void> detour = new CompletableFuture<>();
  private final EntrySender lane = new EntrySender(this::call, this::detour);

  private CompletableFuture<byte[]> call(byte[] row, byte[] batch) {
    try {
      Sent sent = new Sent(EntryBatch.decode(batch), new CompletableFuture<>());
      assertEquals(Bytes.toString(row), Bytes.toString(sent.puts.get(0).getRow()));
      calls.add(sent);
      return sent.answer;
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<?> detour(List<Put> puts) {
    detoured.addAll(puts);
    return detour;
  }

  private static Put entry(String row) {
    return new Entry(Bytes.toBytes("v"), Bytes.toBytes(row), 7L).put(false);
  }

  private static List<String> rows(List<Put> puts) {
    return puts.stream().map(p -> Bytes.toString(p.getRow())).toList();
  }

  @Test
  void whatComesDuringACallGoesWithTheNextOne() {
    CompletableFuture<?> a = lane.add(List.of(entry("a")));
    CompletableFuture<?> b = lane.add(List.of(entry("b")));
    CompletableFuture<?> c = lane.add(List.of(entry("c")));
    assertEquals(1, calls.size());

    calls.get(0).answer.complete(EntryBatch.encodeAnswer(List.of()));

    assertTrue(a.isDone());
    assertFalse(b.isDone());
    assertEquals(2, calls.size());
    assertEquals(List.of("vb", "vc"), rows(calls.get(1).puts));

    calls.get(1).answer.complete(EntryBatch.encodeAnswer(List.of()));

    assertTrue(b.isDone() && c.isDone());
    lane.add(List.of(entry("d")));
    assertEquals(3, calls.size());
  }

  @Test
  void whatTheServerDoesNotHaveTakesTheOtherWay() {
    CompletableFuture<?> done = lane.add(List.of(entry("a"), entry("b"), entry("c")));

    calls.get(0).answer.complete(EntryBatch.encodeAnswer(List.of(1)));

    assertEquals(List.of("vb"), rows(detoured));
    assertFalse(done.isDone());
    detour.complete(null);
    assertTrue(done.isDone());
  }

  @Test
  void afterAFailedCallAllTakeTheOtherWayAndTheNextCallIsMade() {
    CompletableFuture<?> failed = lane.add(List.of(entry("a")));
    CompletableFuture<?> next = lane.add(List.of(entry("b")));

    calls.get(0).answer.completeExceptionally(new IOException("gone"));

    assertEquals(List.of("va"), rows(detoured));
    assertEquals(2, calls.size());
    detour.completeExceptionally(new IOException("nowhere"));
    assertTrue(failed.isCompletedExceptionally());
    calls.get(1).answer.complete(EntryBatch.encodeAnswer(List.of()));
    assertTrue(next.isDone() && !next.isCompletedExceptionally());
  }

  @Test
  void anAnswerThatCannotBeReadIsAFailure() {
    CompletableFuture<?> done = lane.add(List.of(entry("a")));

    calls.get(0).answer.complete(new byte[] {1, 2, 3});

    assertTrue(done.isCompletedExceptionally());
  }

  @Test
  void flagsAndTimestampsArrive() {
    lane.add(List.of(new Entry(Bytes.toBytes("v"), Bytes.toBytes("a"), 9L).put(true)));

    Put arrived = calls.get(0).puts.get(0);

    assertEquals(entryOf("a", 9L).toString(), arrived.getFamilyCellMap().toString());
  }

  private static Object entryOf(String row, long timestamp) {
    return new Entry(Bytes.toBytes("v"), Bytes.toBytes(row), timestamp)
        .put(true)
        .getFamilyCellMap();
  }
}
