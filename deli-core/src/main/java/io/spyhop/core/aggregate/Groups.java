package io.spyhop.core.aggregate;

import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The groups of an aggregate: takes rows, and what other groups of the same request have taken, in
 * any order. Values that compare as equal in conditions are one, and a row whose value is absent or
 * does not decode is in the group of those. Knows nothing of HBase. Not thread-safe.
 */
public final class Groups {
  private static final int MAGIC = 0x53504152; // SPAR
  private static final int VERSION = 1;

  /** Of a block, so many codes have groups that are found without looking. */
  private static final int FEW_CODES = 256;

  /** What a group takes beside its key and its measures. */
  private static final long PER_GROUP = 160;

  private final AggregateRequest request;
  private final Map<GroupKey, Figures> groups = new LinkedHashMap<>();
  private long bytes;

  /** Figures of one group. */
  private static final class Figures {
    private final List<Accumulator> measures = new ArrayList<>();
    private long rows;
  }

  /**
   * One group.
   *
   * @param key the values of the grouping columns, null where they are absent
   * @param rows how many it has
   * @param results one for each measure, of which {@link Measure.Kind} says the class; null where
   *     there is no value
   */
  public record Group(List<Object> key, long rows, List<Object> results) {}

  /** No groups yet. */
  public Groups(AggregateRequest request) {
    this.request = request;
  }

  /** Whether there was no row. */
  public boolean isEmpty() {
    return groups.isEmpty();
  }

  /** About how much memory is held. */
  public long bytes() {
    return bytes;
  }

  /** Takes a row. */
  public void add(ColumnValues row) {
    Figures figures = figures(keyOf(row));
    figures.rows++;
    for (int i = 0; i < request.measures().size(); i++) {
      int column = request.measures().get(i).column();
      if (row.has(column)) {
        bytes += row.addTo(figures.measures.get(i), column);
      }
    }
  }

  /**
   * Takes rows whose values are codes.
   *
   * @param rows bit i % 64 of word i / 64 for row i
   * @param columns those of the request
   * @param mostBytes of the groups' memory
   * @return how many rows these are; -1 if the groups take more memory: then some rows are left
   *     out, and the groups are of no use
   */
  public int add(long[] rows, List<? extends CodedColumn> columns, long mostBytes) {
    int count = BitSet.valueOf(rows).cardinality();
    if (request.groupBy().isEmpty() && request.measures().isEmpty()) {
      figures(GroupKey.ALL).rows += count;
      return count;
    }
    CodedGroups coded = new CodedGroups(columns);
    for (int w = 0; w < rows.length; w++) {
      for (long left = rows[w]; left != 0; left &= left - 1) {
        if (bytes > mostBytes) {
          return -1;
        }
        int row = w * Long.SIZE + Long.numberOfTrailingZeros(left);
        add(row, columns, coded.of(row));
      }
    }
    return count;
  }

  private void add(int row, List<? extends CodedColumn> columns, Figures figures) {
    figures.rows++;
    for (int i = 0; i < figures.measures.size(); i++) {
      CodedColumn column = columns.get(request.measures().get(i).column());
      if (column.has(row)) {
        bytes += figures.measures.get(i).add(column, column.code(row));
      }
    }
  }

  /** The codes of up to two grouping columns, -1 where there is none or no value. */
  private record Codes(long first, long second) {
    long of(int grouping) {
      return grouping == 0 ? first : second;
    }
  }

  /** The groups of rows by the codes of one block. */
  private final class CodedGroups {
    private final List<? extends CodedColumn> columns;

    /** By the first code, where it is small and there is no second one. */
    private final Figures[] few = new Figures[FEW_CODES];

    private final Map<Codes, Figures> others = new HashMap<>();

    CodedGroups(List<? extends CodedColumn> columns) {
      this.columns = columns;
    }

    Figures of(int row) {
      long first = code(0, row);
      long second = code(1, row);
      if (second >= 0 || first >= few.length - 1) {
        return others.computeIfAbsent(new Codes(first, second), this::figuresOf);
      }
      int at = (int) first + 1;
      few[at] = few[at] == null ? figuresOf(new Codes(first, second)) : few[at];
      return few[at];
    }

    private Figures figuresOf(Codes codes) {
      return figures(keyOf(codes, columns));
    }

    private long code(int grouping, int row) {
      if (grouping >= request.groupBy().size()) {
        return -1;
      }
      CodedColumn column = columns.get(request.groupBy().get(grouping));
      return column.has(row) ? column.code(row) : -1;
    }
  }

  private GroupKey keyOf(Codes codes, List<? extends CodedColumn> columns) {
    byte[][] values = new byte[request.groupBy().size()][];
    for (int i = 0; i < values.length; i++) {
      long code = codes.of(i);
      values[i] = code < 0 ? null : columns.get(request.groupBy().get(i)).stored(code);
    }
    return values.length == 0 ? GroupKey.ALL : new GroupKey(values);
  }

  private GroupKey keyOf(ColumnValues row) {
    int columns = request.groupBy().size();
    if (columns == 0) {
      return GroupKey.ALL;
    }
    byte[][] values = new byte[columns][];
    for (int i = 0; i < columns; i++) {
      values[i] = row.canonical(request.groupBy().get(i));
    }
    return new GroupKey(values);
  }

  private Figures figures(GroupKey key) {
    Figures known = groups.get(key);
    if (known != null) {
      return known;
    }
    Figures figures = new Figures();
    bytes += PER_GROUP + key.bytes();
    for (Measure m : request.measures()) {
      Accumulator empty = m.kind().accumulator(request.type(m.column()));
      figures.measures.add(empty);
      bytes += empty.leastBytes();
    }
    groups.put(key, figures);
    return figures;
  }

  /** The wire form of a partial result: all that was taken. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeInt(groups.size());
    for (Map.Entry<GroupKey, Figures> group : groups.entrySet()) {
      for (byte[] value : group.getKey().values()) {
        Frame.writeBytesOrNull(out, value);
      }
      out.writeLong(group.getValue().rows);
      for (Accumulator measure : group.getValue().measures) {
        measure.writeTo(out);
      }
    }
  }

  /**
   * Takes a partial result.
   *
   * @param partial the wire form of groups of the same request
   * @throws CorruptFrameException if it is not; then these groups are of no use any more
   */
  public void decode(byte[] partial) throws CorruptFrameException {
    Frame.decode("partial aggregate", MAGIC, VERSION, partial, this::merge);
  }

  private Groups merge(DataInputStream in) throws IOException {
    int count = Frame.readCount(in, Long.BYTES);
    Set<GroupKey> read = new HashSet<>();
    for (int i = 0; i < count; i++) {
      GroupKey key = readKey(in);
      if (!read.add(key)) {
        throw new CorruptFrameException("one group twice");
      }
      Figures figures = figures(key);
      figures.rows = ValueCount.addRead(figures.rows, in);
      for (Accumulator measure : figures.measures) {
        bytes += measure.merge(in);
      }
    }
    return this;
  }

  private GroupKey readKey(DataInputStream in) throws IOException {
    byte[][] values = new byte[request.groupBy().size()][];
    for (int i = 0; i < values.length; i++) {
      byte[] value = Frame.readBytesOrNull(in);
      if (value != null) {
        values[i] = codecOf(i).canonical(value, 0, value.length);
        if (values[i] == null) {
          throw new CorruptFrameException("a group of " + value.length + " bytes");
        }
      }
    }
    return new GroupKey(values);
  }

  private ValueCodec codecOf(int grouping) {
    return request.type(request.groupBy().get(grouping)).codec();
  }

  /**
   * The groups, ascending by the values of the grouping columns as conditions compare them, absent
   * ones last. Without such columns it is one group, even of no rows.
   */
  public List<Group> sorted() {
    if (request.groupBy().isEmpty()) {
      figures(GroupKey.ALL);
    }
    List<Shown> shown = new ArrayList<>();
    groups.forEach((key, figures) -> shown.add(new Shown(operands(key), figures)));
    shown.sort(BY_KEY);
    return shown.stream().map(Shown::group).toList();
  }

  private static final Comparator<Shown> BY_KEY =
      (a, b) -> Arrays.compare(a.key(), b.key(), Comparator.nullsLast(Comparator.naturalOrder()));

  private Operand[] operands(GroupKey key) {
    Operand[] operands = new Operand[key.values().length];
    for (int i = 0; i < operands.length; i++) {
      byte[] value = key.values()[i];
      operands[i] = value == null ? null : codecOf(i).operandFromStored(value);
    }
    return operands;
  }

  private record Shown(Operand[] key, Figures figures) {
    Group group() {
      List<Object> values = new ArrayList<>();
      for (Operand o : key) {
        values.add(o == null ? null : o.value());
      }
      List<Object> results = new ArrayList<>();
      figures.measures.forEach(m -> results.add(m.result()));
      return new Group(
          Collections.unmodifiableList(values),
          figures.rows,
          Collections.unmodifiableList(results));
    }
  }
}
