package io.spyhop.client.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Merged streams against all of their rows, sorted. */
class MergedRowsTest {
  /** Few different bytes: keys begin alike, are one another's beginnings, and end in zeros. */
  private static final byte[] BYTES = {0, 1, 'a', (byte) 0x80, (byte) 0xFF};

  @Property
  void allRowsInTheirOrder(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 70) int runs,
      @ForAll @IntRange(max = 400) int keys,
      @ForAll @IntRange(min = 1, max = 12) int longest,
      @ForAll boolean descending)
      throws IOException {
    Random random = new Random(seed);
    TreeSet<byte[]> all =
        new TreeSet<>(descending ? Bytes.BYTES_COMPARATOR.reversed() : Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < keys; i++) {
      all.add(key(random, longest));
    }
    List<List<Result>> streams = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      streams.add(new ArrayList<>());
    }
    List<Result> expected = new ArrayList<>();
    for (byte[] key : all) {
      List<Result> stream = streams.get(random.nextInt(runs));
      for (int parts = random.nextInt(8) == 0 ? 3 : 1; parts > 0; parts--) {
        Result row = row(key, random);
        stream.add(row);
        expected.add(row);
      }
    }
    try (RowStream merged =
        new MergedRows(streams.stream().map(RowStream::of).toList(), descending)) {
      for (Result row : expected) {
        assertThat(merged.next()).isSameAs(row);
      }
      assertThat(merged.next()).isNull();
      assertThat(merged.next()).isNull();
    }
  }

  private static byte[] key(Random random, int longest) {
    byte[] key = new byte[1 + random.nextInt(longest)];
    for (int i = 0; i < key.length; i++) {
      key[i] = BYTES[random.nextInt(BYTES.length)];
    }
    return key;
  }

  /** A row whose key is somewhere in an array. */
  private static Result row(byte[] key, Random random) {
    int before = random.nextInt(3);
    byte[] array = new byte[before + key.length + random.nextInt(3)];
    Arrays.fill(array, (byte) random.nextInt());
    System.arraycopy(key, 0, array, before, key.length);
    Cell cell =
        ExtendedCellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
            .setRow(array, before, key.length)
            .setFamily(Bytes.toBytes("f"))
            .setQualifier(Bytes.toBytes("q"))
            .setType(Cell.Type.Put)
            .setTimestamp(1)
            .setValue(Bytes.toBytes("v"))
            .build();
    return Result.create(List.of(cell));
  }
}
