package io.spyhop.core.aggregate;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;

/**
 * Asks for figures of a scan's rows, by groups: {@code docs/formats/aggregate.md}. Immutable,
 * thread-safe.
 *
 * @param columns whose values are read, each once
 * @param declared for each of them, whether its type is the one that the table declares
 * @param groupBy columns whose values a group's rows have in common; none for one group of all
 * @param measures kept in each group, beside the number of its rows
 */
public record AggregateRequest(
    List<BoundColumn> columns,
    List<Boolean> declared,
    List<Integer> groupBy,
    List<Measure> measures) {
  /** The most columns that rows are grouped by. */
  public static final int MOST_GROUPING = 2;

  /** The most measures. */
  public static final int MOST_MEASURES = 64;

  private static final int MAGIC = 0x53504147; // SPAG
  private static final int VERSION = 1;

  /**
   * A request.
   *
   * @throws IllegalArgumentException if a column is listed twice or not at all, there are too many
   *     columns to group by or measures, or a measure does not fit its column's type
   */
  public AggregateRequest {
    columns = List.copyOf(columns);
    declared = List.copyOf(declared);
    groupBy = List.copyOf(groupBy);
    measures = List.copyOf(measures);
    require(declared.size() == columns.size(), "declarations are not those of the columns");
    require(
        new HashSet<>(columns.stream().map(BoundColumn::name).toList()).size() == columns.size(),
        "a column is listed twice");
    require(groupBy.size() <= MOST_GROUPING, "more than 2 columns to group by");
    require(measures.size() <= MOST_MEASURES, "more than 64 measures");
    for (int column : groupBy) {
      require(column >= 0 && column < columns.size(), "no column " + column);
    }
    for (Measure m : measures) {
      require(m.column() >= 0 && m.column() < columns.size(), "no column " + m.column());
      require(m.kind().fits(columns.get(m.column()).type()), m.kind() + " does not fit its type");
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException("aggregate: " + otherwise);
    }
  }

  /** The type of a column. */
  ValueType type(int column) {
    return columns.get(column).type();
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeInt(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      Frame.writeBytes(out, columns.get(i).name().family());
      Frame.writeBytes(out, columns.get(i).name().qualifier());
      out.writeUTF(type(i).name());
      out.writeBoolean(declared.get(i));
    }
    Frame.writeList(out, groupBy, DataOutputStream::writeInt);
    Frame.writeList(out, measures, AggregateRequest::writeMeasure);
  }

  private static void writeMeasure(DataOutputStream out, Measure measure) throws IOException {
    out.writeByte(measure.kind().ordinal());
    out.writeInt(measure.column());
  }

  /**
   * Reads the wire form.
   *
   * @throws CorruptFrameException if it is none of this version
   */
  public static AggregateRequest decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("aggregate", MAGIC, VERSION, bytes, AggregateRequest::read);
  }

  private record Column(BoundColumn column, boolean declared) {}

  private static AggregateRequest read(DataInputStream in) throws IOException {
    List<Column> columns =
        Frame.readList(
            in, 2 * Frame.LEAST_BYTES + Frame.LEAST_UTF + 1, AggregateRequest::readColumn);
    return new AggregateRequest(
        columns.stream().map(Column::column).toList(),
        columns.stream().map(Column::declared).toList(),
        Frame.readList(in, Integer.BYTES, DataInputStream::readInt),
        Frame.readList(in, 1 + Integer.BYTES, AggregateRequest::readMeasure));
  }

  private static Column readColumn(DataInputStream in) throws IOException {
    ColumnName name = ColumnName.of(Frame.readBytes(in), Frame.readBytes(in));
    ValueType type = ValueType.valueOf(Frame.readUtf(in));
    return new Column(new BoundColumn(name, type), in.readBoolean());
  }

  private static Measure readMeasure(DataInputStream in) throws IOException {
    Measure.Kind[] kinds = Measure.Kind.values();
    int kind = in.readUnsignedByte();
    if (kind >= kinds.length) {
      throw new CorruptFrameException("measure of kind " + kind);
    }
    return new Measure(kinds[kind], in.readInt());
  }
}
