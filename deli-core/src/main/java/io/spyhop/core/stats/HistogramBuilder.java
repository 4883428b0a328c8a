package io.spyhop.core.stats;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.LocalOptions;
import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueCodec;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Builds a {@link Histogram} from keys in ascending order. Not thread-safe.
 *
 * <p>With declared bounds it counts into them; without, it closes an interval whenever it holds its
 * share of the entries, and gives a value that alone exceeds the share an interval of its own, so
 * that skewed values are estimated well. Intervals of large files hold no more than is quickly
 * counted.
 */
public final class HistogramBuilder {
  private static final long MAX_SHARE = 4096;

  private final byte[][] declared;
  private final long share;
  private final List<byte[]> bounds = new ArrayList<>();
  private final List<Long> counts = new ArrayList<>();
  private final List<Long> atBounds = new ArrayList<>();
  private final long[] declaredCounts;
  private final long[] declaredAtBounds;
  private byte[] runKey;
  private long runLength;
  private byte[] openBound;
  private long open;
  private long atOpenBound;

  private HistogramBuilder(byte[][] declared, long share) {
    this.declared = declared;
    this.share = share;
    this.declaredCounts = declared == null ? null : new long[declared.length + 1];
    this.declaredAtBounds = declared == null ? null : new long[declared.length];
  }

  /**
   * A builder as the definition asks for.
   *
   * @param entries how many keys will come, about
   */
  public static HistogramBuilder of(IndexDefinition definition, long entries) {
    if (definition.options() instanceof LocalOptions local && local.min().isPresent()) {
      return new HistogramBuilder(declaredBounds(definition), 0);
    }
    long share = Math.min(entries / definition.flags(), MAX_SHARE);
    return new HistogramBuilder(
        null, Math.max(1, Math.max(share, entries / IndexDefinition.MAX_FLAGS)));
  }

  /** {@code flags + 1} equally spaced keys from min to max; fewer where they coincide. */
  static byte[][] declaredBounds(IndexDefinition d) {
    Operand min = d.local().min().orElseThrow();
    ValueCodec codec = d.type().codec();
    BigDecimal from = number(min);
    BigDecimal width = number(d.local().max().orElseThrow()).subtract(from);
    boolean integral =
        !(min.value() instanceof Double
            || min.value() instanceof Float
            || min.value() instanceof BigDecimal);
    TreeSet<byte[]> keys = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i <= d.flags(); i++) {
      BigDecimal step =
          width
              .multiply(BigDecimal.valueOf(i))
              .divide(BigDecimal.valueOf(d.flags()), MathContext.DECIMAL128);
      BigDecimal value = from.add(step);
      Object literal = integral ? value.setScale(0, RoundingMode.FLOOR) : value;
      keys.add(codec.operand(literal).key().bytes());
    }
    return keys.toArray(new byte[0][]);
  }

  private static BigDecimal number(Operand o) {
    return new BigDecimal(o.value().toString());
  }

  /** Takes the next key; keys come in ascending order, equal ones one after the other. */
  public void add(byte[] b, int off, int len) {
    add(b, off, len, 1);
  }

  /** Takes the next key so many times. */
  public void add(byte[] b, int off, int len, long times) {
    if (runKey != null && Bytes.equals(runKey, 0, runKey.length, b, off, len)) {
      runLength += times;
      return;
    }
    endRun();
    runKey = Bytes.copy(b, off, len);
    runLength = times;
  }

  private void endRun() {
    if (runKey == null) {
      return;
    }
    if (declared != null) {
      int i = Arrays.binarySearch(declared, runKey, Bytes::compareTo);
      declaredCounts[i >= 0 ? i : -i - 1] += runLength;
      if (i >= 0) {
        declaredAtBounds[i] = runLength;
      }
      return;
    }
    if (open > 0 && open + runLength > share) {
      close();
    }
    open += runLength;
    openBound = runKey;
    atOpenBound = runLength;
    if (open >= share) {
      close();
    }
  }

  private void close() {
    bounds.add(openBound);
    counts.add(open);
    atBounds.add(atOpenBound);
    open = 0;
  }

  /** The histogram of all keys so far; call once, at the end. */
  public Histogram build() {
    endRun();
    runKey = null;
    if (declared != null) {
      return new Histogram(declared, declaredCounts, declaredAtBounds);
    }
    if (open > 0) {
      close();
    }
    counts.add(0L);
    return new Histogram(bounds.toArray(new byte[0][]), array(counts), array(atBounds));
  }

  private static long[] array(List<Long> list) {
    return list.stream().mapToLong(Long::longValue).toArray();
  }
}
