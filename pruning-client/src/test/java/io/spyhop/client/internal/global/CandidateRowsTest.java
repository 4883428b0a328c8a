package io.spyhop.client.internal.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.AnswerRoom;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

class CandidateRowsTest {
  private static final TableName NAME = TableName.valueOf("orders");

  /** Rows that are large enough for few to have room in one answer. */
  private static final int WIDE = 3 << 20;

  /** The rows of the table; a key without one has an empty result. */
  private final Map<String, Result> rows = new LinkedHashMap<>();

  private int servers;
  private long largest;

  private static <T> T fake(Class<T> type, InvocationHandler calls) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
  }

  @SuppressWarnings("unchecked")
  private Connection connection() {
    Table table =
        fake(Table.class, (p, m, a) -> m.getName().equals("get") ? get((List<Get>) a[0]) : null);
    return fake(Connection.class, (p, m, a) -> table);
  }

  /** As servers answer, each of which has some of the rows and looks at its own Gets alone. */
  private Object get(List<Get> gets) throws IOException {
    long[] answered = new long[servers];
    List<Result> results = new ArrayList<>();
    for (Get get : gets) {
      String row = Bytes.toString(get.getRow());
      int server = Math.floorMod(row.hashCode(), servers);
      if (AnswerRoom.isFull(get, answered[server])) {
        results.add(Result.create(List.of(AnswerRoom.later(get.getRow()))));
      } else {
        results.add(rows.get(row));
        answered[server] += Result.getTotalSizeOfCells(rows.get(row));
        largest = Math.max(largest, answered[server]);
      }
    }
    return results.toArray(new Result[0]);
  }

  private static Result wide(byte[] key, byte[] value) {
    return Result.create(List.of(new KeyValue(key, Bytes.toBytes("f"), null, value)));
  }

  @Property(tries = 100)
  void theSameRowsInTheSameOrderWithinTheRoomOfAnswers(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 4) int servers,
      @ForAll @IntRange(max = 120) int keys,
      @ForAll @IntRange(min = 1, max = 8) int oneInSoManyIsWide)
      throws IOException {
    Random random = new Random(seed);
    byte[] wide = new byte[WIDE];
    rows.clear();
    this.servers = servers;
    largest = 0;
    for (int i = 0; i < keys; i++) {
      byte[] key = Bytes.toBytes(String.format("r%03d", i));
      boolean none = random.nextInt(5) == 0;
      boolean isWide = random.nextInt(oneInSoManyIsWide) == 0;
      Result row = none ? Result.EMPTY_RESULT : wide(key, isWide ? wide : new byte[10]);
      rows.put(Bytes.toString(key), row);
    }
    List<String> order = new ArrayList<>(rows.keySet());
    if (random.nextBoolean()) {
      Collections.shuffle(order, random);
    }
    CandidateRows candidates =
        new CandidateRows(
            connection(),
            NAME,
            RowKeys.of(order.stream().map(Bytes::toBytes).toList()),
            Long.MAX_VALUE,
            Get::new);
    for (String key : order) {
      CandidateRows.Row row = candidates.next();
      assertThat(Bytes.toString(row.key())).isEqualTo(key);
      assertThat(row.result()).isSameAs(rows.get(key));
    }
    assertThat(candidates.next()).isNull();
    assertThat(candidates.read()).isEqualTo(keys);
    candidates.close();
    // The first of a call is read in any case, and the last that begins within the room.
    assertThat(largest).isLessThan(CandidateRows.CHUNK_BYTES + 2L * WIDE + (1 << 10));
  }
}
