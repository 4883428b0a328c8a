package io.spyhop.core.schema;

import io.spyhop.core.value.InvalidValueException;
import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueType;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * What is indexed and how: name, kind, column, value type and options. Immutable, thread-safe.
 *
 * <p>{@code min}, {@code max} and {@code flags} are the declaration of the LCIndex paper (section
 * III.C, {@code PRICE DOUBLE 0 99999 100}): {@code flags} equally wide intervals between min and
 * max are counted in the statistics. Without min and max the intervals come from the data.
 *
 * <p>The incarnation is drawn when the index is created; index files carry it, so that files of a
 * dropped index of the same name are never taken for the new one's.
 */
public final class IndexDefinition {
  /** How many intervals the statistics count where the definition does not say. */
  public static final int DEFAULT_FLAGS = 100;

  /** The most intervals that a definition may ask for. */
  public static final int MAX_FLAGS = 10_000;

  /** The most columns that a definition may include, beside the indexed one. */
  public static final int MAX_INCLUDED = 1_000;

  /** The most characters of an index's name. */
  public static final int MAX_NAME = 64;

  private static final Pattern NAME =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0," + (MAX_NAME - 1) + "}");

  private final String name;
  private final IndexKind kind;
  private final ColumnName column;
  private final ValueType type;
  private final Operand min;
  private final Operand max;
  private final int flags;
  private final long incarnation;
  private final SortedSet<ColumnName> include;
  private final Maintenance maintenance;
  private final Repair repair;
  private final BloomSize bloom;
  private final Boundaries boundaries;
  private final String text;

  private IndexDefinition(Builder b) {
    name = b.name;
    kind = b.kind;
    column = Objects.requireNonNull(b.column, "column");
    type = Objects.requireNonNull(b.type, "type");
    min = bound("min", b.min);
    max = bound("max", b.max);
    flags = b.flags;
    incarnation = b.incarnation;
    maintenance = b.maintenance;
    repair = b.repair;
    boundaries = b.boundaries;
    bloom = b.bloom != null ? b.bloom : kind == IndexKind.STATS ? BloomSize.DEFAULT : BloomSize.OFF;
    include = b.include == null ? null : stored(b.include);
    check();
    text = DefinitionText.format(this);
  }

  private SortedSet<ColumnName> stored(Collection<ColumnName> included) {
    SortedSet<ColumnName> stored = new TreeSet<>(included);
    stored.add(column);
    if (stored.size() > MAX_INCLUDED + 1) {
      throw new InvalidIndexException(
          "index '"
              + name
              + "': include names "
              + (stored.size() - 1)
              + " columns beside the indexed one, more than "
              + MAX_INCLUDED
              + ": leave it out to store them all");
    }
    for (ColumnName c : stored) {
      if (!Arrays.equals(c.family(), column.family())) {
        throw new InvalidIndexException(
            "index '"
                + name
                + "': included column "
                + c
                + " is not in the family of the indexed column "
                + column);
      }
    }
    return Collections.unmodifiableSortedSet(stored);
  }

  private Operand bound(String option, Object literal) {
    try {
      return literal == null ? null : type.codec().operand(literal);
    } catch (InvalidValueException e) {
      throw new InvalidIndexException("index '" + name + "': " + option + ": " + e.getMessage(), e);
    }
  }

  private void check() {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidIndexException(
          "index name '" + name + "': use a letter, then up to 63 letters, digits, '_' or '-'");
    }
    checkKind();
    if (flags < 1 || flags > MAX_FLAGS) {
      throw new InvalidIndexException(
          "index '" + name + "': flags=" + flags + " is not in 1.." + MAX_FLAGS);
    }
    if ((min == null) != (max == null)) {
      throw new InvalidIndexException(
          "index '" + name + "': min and max go together, only one is given");
    }
    if (min != null && min.compareTo(max) >= 0) {
      throw new InvalidIndexException(
          "index '" + name + "': min=" + min + " is not below max=" + max);
    }
    if (min != null && !(min.value() instanceof Number)) {
      throw new InvalidIndexException(
          "index '" + name + "': min and max need a number type, not " + type);
    }
    if (min != null && !(isFinite(min) && isFinite(max))) {
      throw new InvalidIndexException(
          "index '"
              + name
              + "': min="
              + min
              + " max="
              + max
              + ": both must be finite and of a"
              + " magnitude below 1e1000");
    }
  }

  private void checkKind() {
    if (kind == IndexKind.GLOBAL && (include != null || min != null)) {
      throw new InvalidIndexException(
          "index '" + name + "': a GLOBAL index has no include, min or max; leave them out");
    }
    if (kind == IndexKind.STATS && (include != null || min != null)) {
      throw new InvalidIndexException(
          "index '" + name + "': STATS has no include, min or max; leave them out");
    }
    if (kind != IndexKind.GLOBAL
        && (maintenance != Maintenance.DEFERRED
            || repair != Repair.STREAMING
            || boundaries != Boundaries.VALUES)) {
      throw new InvalidIndexException(
          "index '"
              + name
              + "': only a GLOBAL index has maintenance, repair or boundaries; leave them out");
    }
  }

  private static boolean isFinite(Operand bound) {
    double value = ((Number) bound.value()).doubleValue();
    boolean binary = bound.value() instanceof Double || bound.value() instanceof Float;
    return !bound.key().isUnkeyable() && (!binary || Double.isFinite(value));
  }

  /** Starts a definition of a {@link IndexKind#LOCAL} index. */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** Starts a definition that is like this one, the incarnation included. */
  public Builder toBuilder() {
    Builder b = builder(name).kind(kind).column(column).type(type).flags(flags);
    b.incarnation(incarnation).maintenance(maintenance).repair(repair).bloom(bloom);
    b.boundaries(boundaries);
    if (min != null) {
      b.range(min.value(), max.value());
    }
    return include == null ? b : b.include(include);
  }

  /**
   * What queries need of it, and nothing that tells of values or of how it is kept: name, kind,
   * column, type, incarnation and maintenance.
   */
  public IndexDefinition forQueries() {
    return builder(name)
        .kind(kind)
        .column(column)
        .type(type)
        .incarnation(incarnation)
        .maintenance(maintenance)
        .build();
  }

  /** The index's name, unique within its table. */
  public String name() {
    return name;
  }

  /** Where the index lives. */
  public IndexKind kind() {
    return kind;
  }

  /** The indexed column. */
  public ColumnName column() {
    return column;
  }

  /** How the column's cells are read. */
  public ValueType type() {
    return type;
  }

  /**
   * The declared smallest value, if declared; larger and smaller values are indexed all the same.
   */
  public Optional<Operand> min() {
    return Optional.ofNullable(min);
  }

  /** The declared largest value, if declared. */
  public Optional<Operand> max() {
    return Optional.ofNullable(max);
  }

  /** How many intervals the statistics count. */
  public int flags() {
    return flags;
  }

  /**
   * The columns whose cells the index stores, the indexed one included; empty if it stores all
   * cells of the family. What is not stored is read from the row.
   */
  public Optional<SortedSet<ColumnName>> include() {
    return Optional.ofNullable(include);
  }

  /** Whether the index stores the cells of a column of its family. */
  public boolean stores(ColumnName other) {
    return include == null
        ? Arrays.equals(other.family(), column.family())
        : include.contains(other);
  }

  /** How writes keep a {@link IndexKind#GLOBAL} index. */
  public Maintenance maintenance() {
    return maintenance;
  }

  /** How flushes and compactions repair a {@link IndexKind#GLOBAL} index. */
  public Repair repair() {
    return repair;
  }

  /** Where regions of a {@link IndexKind#GLOBAL} index's table may begin. */
  public Boundaries boundaries() {
    return boundaries;
  }

  /** How large the bloom filters are that statistics of the column have. */
  public BloomSize bloom() {
    return bloom;
  }

  /** The text form that the table descriptor holds (docs/formats/schema.md). */
  public String text() {
    return text;
  }

  /**
   * Reads {@link #text()}.
   *
   * @throws InvalidIndexException if it cannot be read
   */
  public static IndexDefinition parse(String name, String text) {
    return DefinitionText.parse(name, text);
  }

  /** Drawn at creation; tells this index from an earlier one of the same name. */
  public long incarnation() {
    return incarnation;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof IndexDefinition other && text.equals(other.text) && name.equals(other.name);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, incarnation);
  }

  @Override
  public String toString() {
    String range = min == null ? "" : " min=" + min + " max=" + max;
    String stored = include == null ? "" : " include=" + include;
    String how = " flags=" + flags + stored;
    if (kind == IndexKind.GLOBAL) {
      how = " maintenance=" + maintenance + " repair=" + repair;
      how += boundaries == Boundaries.VALUES ? "" : " boundaries=" + boundaries;
    }
    if (kind == IndexKind.STATS) {
      how = "";
    }
    String filter = bloom.isOn() ? " bloom=" + bloom : "";
    return name + " " + kind + " " + column + " " + type + range + how + filter;
  }

  /** Collects the parts of a definition; not thread-safe. */
  public static final class Builder {
    private final String name;
    private IndexKind kind = IndexKind.LOCAL;
    private ColumnName column;
    private ValueType type;
    private Object min;
    private Object max;
    private int flags = DEFAULT_FLAGS;
    private Collection<ColumnName> include;
    private Maintenance maintenance = Maintenance.DEFERRED;
    private Repair repair = Repair.STREAMING;
    private Boundaries boundaries = Boundaries.VALUES;
    private BloomSize bloom;
    private long incarnation = ThreadLocalRandom.current().nextLong() & Long.MAX_VALUE;

    private Builder(String name) {
      this.name = Objects.requireNonNull(name, "the name of an index is null");
    }

    /** Where the index lives. */
    public Builder kind(IndexKind kind) {
      this.kind = Objects.requireNonNull(kind);
      return this;
    }

    /** The indexed column. */
    public Builder column(ColumnName column) {
      this.column = column;
      return this;
    }

    /** The indexed column as {@code family:qualifier}. */
    public Builder column(String column) {
      return column(ColumnName.parse(column));
    }

    /** How the column's cells are read. */
    public Builder type(ValueType type) {
      this.type = type;
      return this;
    }

    /** The declared value range, both ends inclusive. */
    public Builder range(Object min, Object max) {
      this.min = min;
      this.max = max;
      return this;
    }

    /** How many intervals the statistics count. */
    public Builder flags(int flags) {
      this.flags = flags;
      return this;
    }

    /**
     * Stores only these columns of the family, and always the indexed one; without this call, all
     * cells of the family.
     */
    public Builder include(Collection<ColumnName> columns) {
      this.include = List.copyOf(columns);
      return this;
    }

    /** How writes keep a {@link IndexKind#GLOBAL} index; deferred unless said otherwise. */
    public Builder maintenance(Maintenance maintenance) {
      this.maintenance = Objects.requireNonNull(maintenance);
      return this;
    }

    /** How a {@link IndexKind#GLOBAL} index is repaired; streaming unless said otherwise. */
    public Builder repair(Repair repair) {
      this.repair = Objects.requireNonNull(repair);
      return this;
    }

    /**
     * Where regions of a {@link IndexKind#GLOBAL} index's table may begin; at values unless said
     * otherwise. Of encrypted families, and where visibility labels are used, they never do.
     */
    public Builder boundaries(Boundaries boundaries) {
      this.boundaries = Objects.requireNonNull(boundaries);
      return this;
    }

    /**
     * How large the bloom filters are that statistics of the column have; {@link BloomSize#DEFAULT}
     * for {@link IndexKind#STATS} and {@link BloomSize#OFF} otherwise unless said so.
     */
    public Builder bloom(BloomSize bloom) {
      this.bloom = Objects.requireNonNull(bloom);
      return this;
    }

    /** A fresh incarnation: for the same index, made anew. */
    public Builder renewed() {
      return incarnation(ThreadLocalRandom.current().nextLong() & Long.MAX_VALUE);
    }

    /** For reading a stored definition; a new one draws its own. */
    Builder incarnation(long incarnation) {
      this.incarnation = incarnation;
      return this;
    }

    /**
     * The definition.
     *
     * @throws InvalidIndexException if a part is missing or does not fit the others
     */
    public IndexDefinition build() {
      if (column == null || type == null) {
        throw new InvalidIndexException("index '" + name + "' needs a column and a type");
      }
      return new IndexDefinition(this);
    }
  }
}
