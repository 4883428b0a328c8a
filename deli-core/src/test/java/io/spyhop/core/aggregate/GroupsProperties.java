package io.spyhop.core.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.util.Bytes;

/** Figures do not depend on how rows are divided and ordered, and are what one counts by hand. */
class GroupsProperties {
  private static final List<BoundColumn> COLUMNS =
      List.of(
          column("text", ValueType.STRING),
          column("whole", ValueType.LONG),
          column("float", ValueType.DOUBLE),
          column("decimal", ValueType.DECIMAL));

  private static BoundColumn column(String name, ValueType type) {
    return new BoundColumn(ColumnName.parse("f:" + name), type);
  }

  private static AggregateRequest request(Integer... groupBy) {
    List<Measure> measures = new ArrayList<>();
    for (Measure.Kind kind : Measure.Kind.values()) {
      for (int c = 0; c < COLUMNS.size(); c++) {
        if (kind.fits(COLUMNS.get(c).type())) {
          measures.add(new Measure(kind, c));
        }
      }
    }
    return new AggregateRequest(
        COLUMNS, Collections.nCopies(COLUMNS.size(), true), List.of(groupBy), measures);
  }

  /** A row: stored values, null where absent. */
  @Provide
  Arbitrary<List<List<byte[]>>> rows() {
    Arbitrary<byte[]> texts = Arbitraries.of("a", "b", "", "é").map(Bytes::toBytes);
    Arbitrary<byte[]> wholes =
        Arbitraries.oneOf(
                Arbitraries.longs().between(-3, 3), Arbitraries.of(Long.MAX_VALUE, Long.MIN_VALUE))
            .map(Bytes::toBytes);
    Arbitrary<byte[]> floats =
        Arbitraries.of(0.0, -0.0, 0.1, 1e300, -1e300, 1.5, Double.MIN_VALUE).map(Bytes::toBytes);
    Arbitrary<byte[]> decimals =
        Arbitraries.of("1", "1.00", "-0.001", "1E+30", "0").map(d -> Bytes.toBytes(dec(d)));
    return Combinators.combine(lacking(texts), lacking(wholes), lacking(floats), lacking(decimals))
        .as((t, w, f, d) -> Arrays.asList(t, w, f, d))
        .list()
        .ofMaxSize(20);
  }

  /** Absent, or no value of its type, at times. */
  private static Arbitrary<byte[]> lacking(Arbitrary<byte[]> values) {
    return Arbitraries.oneOf(values, values, values, Arbitraries.just(new byte[] {(byte) 0xff}))
        .injectNull(0.2);
  }

  private static BigDecimal dec(String text) {
    return new BigDecimal(text);
  }

  private static Groups groups(AggregateRequest request, List<List<byte[]>> rows) {
    Groups groups = new Groups(request);
    ColumnValues values = new ColumnValues(request);
    for (List<byte[]> row : rows) {
      values.reset();
      for (int c = 0; c < row.size(); c++) {
        if (row.get(c) != null) {
          values.offer(c, row.get(c), 0, row.get(c).length);
          values.offer(c, new byte[] {1}, 0, 1);
        }
      }
      groups.add(values);
    }
    return groups;
  }

  private static String shown(Groups groups) {
    StringBuilder shown = new StringBuilder();
    for (Groups.Group g : groups.sorted()) {
      shown.append(g.key()).append(' ').append(g.rows());
      for (Object result : g.results()) {
        shown
            .append(' ')
            .append(
                result instanceof Total t
                    ? t.count() + "/" + t.sum() + "/" + t.average()
                    : Objects.toString(result));
      }
      shown.append('\n');
    }
    return shown.toString();
  }

  @Property
  void partsMakeTheWhole(@ForAll("rows") List<List<byte[]>> rows, @ForAll Random random)
      throws CorruptFrameException {
    for (AggregateRequest request : List.of(request(), request(0), request(2, 3))) {
      String whole = shown(groups(request, rows));
      List<List<byte[]>> mixed = new ArrayList<>(rows);
      Collections.shuffle(mixed, random);
      Groups merged = new Groups(request);
      int at = 0;
      while (at < mixed.size()) {
        int next = Math.min(mixed.size(), at + 1 + random.nextInt(5));
        merged.decode(groups(request, mixed.subList(at, next)).encode());
        at = next;
      }
      assertThat(shown(merged)).isEqualTo(whole);
      Groups again = new Groups(request);
      again.decode(merged.encode());
      assertThat(shown(again)).isEqualTo(whole);
    }
  }

  @Property
  void codesAreAsGoodAsValues(@ForAll("rows") List<List<byte[]>> rows) {
    for (AggregateRequest request : List.of(request(), request(0), request(3, 2))) {
      List<CodedColumn> columns = new ArrayList<>();
      for (int c = 0; c < COLUMNS.size(); c++) {
        columns.add(new Listed(c, rows));
      }
      long[] bits = new long[2];
      for (int i = 0; i < rows.size(); i++) {
        bits[0] |= 1L << i;
      }
      Groups coded = new Groups(request);
      assertThat(coded.add(bits, columns, Long.MAX_VALUE)).isEqualTo(rows.size());
      assertThat(shown(coded)).isEqualTo(shown(groups(request, rows)));
    }
  }

  /** With many measures the groups of one block of rows would take a hundred megabytes. */
  @Example
  void codedRowsStopWhereTheirGroupsTakeTooMuch() {
    List<List<byte[]>> rows = new ArrayList<>();
    for (long i = 0; i < 4_096; i++) {
      List<byte[]> row = new ArrayList<>(Collections.nCopies(4, null));
      row.set(1, Bytes.toBytes(i));
      rows.add(row);
    }
    List<CodedColumn> columns = new ArrayList<>();
    for (int c = 0; c < COLUMNS.size(); c++) {
      columns.add(new Listed(c, rows));
    }
    long[] all = new long[64];
    Arrays.fill(all, -1L);
    Groups groups = new Groups(request(1));
    assertThat(groups.add(all, columns, 1 << 16)).isEqualTo(-1);
    assertThat(groups.bytes()).isBetween(1L << 16, 1L << 17);
    assertThat(groups.add(new long[] {1}, columns, 1 << 16)).as("the next block").isEqualTo(-1);
  }

  /** The place of a value among those of the column that differ is its code. */
  private static final class Listed implements CodedColumn {
    private final ValueCodec codec;
    private final List<ByteBuffer> listed = new ArrayList<>();
    private final List<Integer> codes = new ArrayList<>();

    Listed(int column, List<List<byte[]>> rows) {
      codec = COLUMNS.get(column).type().codec();
      for (List<byte[]> row : rows) {
        byte[] b = row.get(column);
        byte[] value = b == null ? null : codec.canonical(b, 0, b.length);
        ByteBuffer wrapped = value == null ? null : ByteBuffer.wrap(value);
        if (value != null && !listed.contains(wrapped)) {
          listed.add(wrapped);
        }
        codes.add(value == null ? -1 : listed.indexOf(wrapped));
      }
    }

    @Override
    public boolean has(int row) {
      return codes.get(row) >= 0;
    }

    @Override
    public long code(int row) {
      return codes.get(row);
    }

    @Override
    public byte[] stored(long code) {
      return listed.get((int) code).array();
    }

    @Override
    public Double number(long code) {
      Object value = codec.decode(stored(code), 0, stored(code).length);
      return code % 2 == 0 && value instanceof Double number ? number : null;
    }
  }

  @Property
  void figuresAreThoseOfTheRows(@ForAll("rows") List<List<byte[]>> rows) {
    AggregateRequest request = request();
    Groups.Group all = groups(request, rows).sorted().get(0);
    assertThat(all.rows()).isEqualTo(rows.size());
    for (int i = 0; i < request.measures().size(); i++) {
      Measure m = request.measures().get(i);
      List<Operand> values = values(m.column(), rows);
      Object result = all.results().get(i);
      TreeSet<Operand> distinct = new TreeSet<>(values);
      switch (m.kind()) {
        case COUNT -> assertThat(result).isEqualTo((long) values.size());
        case DISTINCT -> assertThat(result).isEqualTo((long) distinct.size());
        case MIN -> requireSame(m.column(), result, distinct.isEmpty() ? null : distinct.first());
        case MAX -> requireSame(m.column(), result, distinct.isEmpty() ? null : distinct.last());
        case SUM -> requireSum((Total) result, values);
      }
    }
  }

  private static List<Operand> values(int column, List<List<byte[]>> rows) {
    List<Operand> values = new ArrayList<>();
    for (List<byte[]> row : rows) {
      byte[] b = row.get(column);
      ValueType type = COLUMNS.get(column).type();
      if (b != null && type.codec().isDecodable(b, 0, b.length)) {
        values.add(type.codec().operandFromStored(b));
      }
    }
    return values;
  }

  private static void requireSame(int column, Object result, Operand expected) {
    ValueType type = COLUMNS.get(column).type();
    assertThat(result == null ? null : type.codec().operand(result)).isEqualTo(expected);
  }

  private static void requireSum(Total total, List<Operand> values) {
    BigDecimal sum = BigDecimal.ZERO;
    for (Operand value : values) {
      sum = sum.add(exact(value.value()));
    }
    assertThat(total.count()).isEqualTo(values.size());
    if (values.isEmpty()) {
      assertThat(total.sum()).isNull();
      assertThat(total.average()).isNull();
    } else if (total.sum() instanceof Double rounded) {
      assertThat(rounded).isEqualTo(sum.doubleValue() + 0.0);
    } else {
      BigDecimal exact =
          total.sum() instanceof BigInteger i ? new BigDecimal(i) : (BigDecimal) total.sum();
      assertThat(exact).isEqualByComparingTo(sum);
    }
  }

  private static BigDecimal exact(Object number) {
    return number instanceof Double d ? new BigDecimal(d) : new BigDecimal(number.toString());
  }

  @Example
  void specialNumbersMakeSpecialSums() throws CorruptFrameException {
    assertThat(sum(Double.NaN, 1.0, Double.POSITIVE_INFINITY)).isNaN();
    assertThat(sum(Double.NEGATIVE_INFINITY, 1.0, Double.POSITIVE_INFINITY)).isNaN();
    assertThat(sum(1.0, Double.POSITIVE_INFINITY)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(sum(1.0, Double.NEGATIVE_INFINITY)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(sum(-0.0, -0.0)).isEqualTo(0.0);
    assertThat(1 / sum(-0.0)).isPositive();
  }

  private static double sum(double... numbers) throws CorruptFrameException {
    AggregateRequest request =
        new AggregateRequest(
            List.of(COLUMNS.get(2)),
            List.of(true),
            List.of(),
            List.of(new Measure(Measure.Kind.SUM, 0)));
    Groups merged = new Groups(request);
    for (double n : numbers) {
      merged.decode(groups(request, List.of(List.of(Bytes.toBytes(n)))).encode());
    }
    return ((Total) merged.sorted().get(0).results().get(0)).sum().doubleValue();
  }

  @Example
  void decimalsFarFromEachOtherHaveNoSum() {
    AggregateRequest request = request();
    List<byte[]> row = new ArrayList<>(Collections.nCopies(4, null));
    row.set(3, Bytes.toBytes(new BigDecimal(BigInteger.ONE, 2_000_000_000)));
    Groups groups = groups(request, List.of(row));
    Total total = (Total) groups.sorted().get(0).results().get(request.measures().size() - 1);
    assertThatThrownBy(total::sum)
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("scale");
    assertThat(total.count()).isEqualTo(1);
  }

  @Example
  void requestsAreReadAsTheyWereWritten() throws CorruptFrameException {
    AggregateRequest request = request(0, 1);
    assertThat(AggregateRequest.decode(request.encode())).isEqualTo(request);
  }
}
