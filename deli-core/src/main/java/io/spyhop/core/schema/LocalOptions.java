package io.spyhop.core.schema;

import io.spyhop.core.value.Operand;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The options of a {@link IndexKind#LOCAL} index: contents of its files, and the expected range of
 * values.
 */
public final class LocalOptions extends IndexOptions {
  private final Operand min;
  private final Operand max;
  private final SortedSet<ColumnName> include;
  private final Layout layout;

  /**
   * @param min the declared smallest value; null without, then max too
   * @param include null for all columns of the family
   * @throws InvalidIndexException if they do not fit each other or the column
   */
  LocalOptions(
      String index,
      ColumnName column,
      Operand min,
      Operand max,
      Collection<ColumnName> include,
      Layout layout) {
    this.min = min;
    this.max = max;
    this.layout = layout;
    checkRange(index);
    if (layout == Layout.COLUMNAR && include != null) {
      throw new InvalidIndexException(
          "index '" + index + "': a COLUMNAR layout stores no cells to include; leave it out");
    }
    this.include = include == null ? null : stored(index, column, include);
  }

  private void checkRange(String index) {
    if ((min == null) != (max == null)) {
      throw new InvalidIndexException(
          "index '" + index + "': min and max go together, only one is given");
    }
    if (min == null) {
      return;
    }
    if (min.compareTo(max) >= 0) {
      throw new InvalidIndexException(
          "index '" + index + "': min=" + min + " is not below max=" + max);
    }
    if (!(min.value() instanceof Number)) {
      throw new InvalidIndexException(
          "index '" + index + "': min and max need a number type, not " + min.type());
    }
    if (!(isFinite(min) && isFinite(max))) {
      throw new InvalidIndexException(
          "index '"
              + index
              + "': min="
              + min
              + " max="
              + max
              + ": both must be finite and of a"
              + " magnitude below 1e1000");
    }
  }

  private static boolean isFinite(Operand bound) {
    double value = ((Number) bound.value()).doubleValue();
    boolean binary = bound.value() instanceof Double || bound.value() instanceof Float;
    return !bound.key().isUnkeyable() && (!binary || Double.isFinite(value));
  }

  private static SortedSet<ColumnName> stored(
      String index, ColumnName column, Collection<ColumnName> included) {
    SortedSet<ColumnName> stored = new TreeSet<>(included);
    stored.add(column);
    if (stored.size() > IndexDefinition.MAX_INCLUDED + 1) {
      throw new InvalidIndexException(
          "index '"
              + index
              + "': include names "
              + (stored.size() - 1)
              + " columns beside the indexed one, more than "
              + IndexDefinition.MAX_INCLUDED
              + ": leave it out to store them all");
    }
    for (ColumnName c : stored) {
      if (!Arrays.equals(c.family(), column.family())) {
        throw new InvalidIndexException(
            "index '"
                + index
                + "': included column "
                + c
                + " is not in the family of the indexed column "
                + column);
      }
    }
    return Collections.unmodifiableSortedSet(stored);
  }

  /**
   * The declared smallest value, if declared; larger and smaller values are indexed all the same.
   */
  public Optional<Operand> min() {
    return Optional.ofNullable(min);
  }

  /** The declared largest value, if the smallest is declared. */
  public Optional<Operand> max() {
    return Optional.ofNullable(max);
  }

  /**
   * The columns whose cells the index stores, the indexed one included; empty if it stores all
   * cells of the family. What is not stored is read from the row.
   */
  public Optional<SortedSet<ColumnName>> include() {
    return Optional.ofNullable(include);
  }

  /** What the index's files hold. */
  public Layout layout() {
    return layout;
  }

  /** For people: what the index's files hold of a row. */
  public String stored() {
    return layout == Layout.COLUMNAR ? "values" : include().map(Object::toString).orElse("all");
  }

  @Override
  public IndexKind kind() {
    return IndexKind.LOCAL;
  }

  @Override
  BloomSize usualBloom() {
    return BloomSize.OFF;
  }

  @Override
  void write(Map<String, String> parts) {
    min().ifPresent(m -> parts.put("min", m.value().toString()));
    max().ifPresent(m -> parts.put("max", m.value().toString()));
    include().ifPresent(columns -> parts.put("include", list(columns)));
    if (layout != Layout.CLUSTERING) {
      parts.put("layout", layout.name());
    }
  }

  /** Column names, each URL-encoded, with commas between. */
  private static String list(Collection<ColumnName> columns) {
    return columns.stream()
        .map(c -> URLEncoder.encode(c.toString(), StandardCharsets.UTF_8))
        .collect(Collectors.joining(","));
  }

  @Override
  void copyTo(IndexDefinition.Builder builder) {
    if (min != null) {
      builder.range(min.value(), max.value());
    }
    if (include != null) {
      builder.include(include);
    }
    if (layout != Layout.usual(include != null)) {
      builder.layout(layout);
    }
  }

  @Override
  String shown(int flags) {
    return (min == null ? "" : " min=" + min + " max=" + max)
        + " flags="
        + flags
        + (include == null ? "" : " include=" + include)
        + (layout == Layout.CLUSTERING ? "" : " layout=" + layout);
  }
}
