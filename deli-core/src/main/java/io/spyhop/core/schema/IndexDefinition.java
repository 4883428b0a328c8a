package io.spyhop.core.schema;

import io.spyhop.core.value.InvalidValueException;
import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueType;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * The definition of an index: name, kind, column, value type and options. Immutable, thread-safe.
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
  private final ColumnName column;
  private final ValueType type;
  private final int flags;
  private final long incarnation;
  private final BloomSize bloom;
  private final IndexOptions options;
  private final String text;

  private IndexDefinition(Builder b) {
    name = b.name;
    column = Objects.requireNonNull(b.column, "column");
    type = Objects.requireNonNull(b.type, "type");
    flags = b.flags;
    incarnation = b.incarnation;
    check(b.reserved);
    options = b.options();
    bloom = b.bloom != null ? b.bloom : options.usualBloom();
    text = DefinitionText.format(this);
  }

  private void check(boolean reserved) {
    if (!reserved && !NAME.matcher(name).matches()) {
      throw new InvalidIndexException(
          "index name '"
              + name
              + "': use a letter or '_', then up to 63 letters, digits, '_' or '-'");
    }
    if (flags < 1 || flags > MAX_FLAGS) {
      throw new InvalidIndexException(
          "index '" + name + "': flags=" + flags + " is not in 1.." + MAX_FLAGS);
    }
  }

  /** Starts a definition of a {@link IndexKind#LOCAL} index. */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** Starts a definition that is like this one, the incarnation included. */
  public Builder toBuilder() {
    Builder b = builder(name).kind(kind()).column(column).type(type).readFlags(flags);
    b.incarnation(incarnation).bloom(bloom);
    options.copyTo(b);
    return b;
  }

  /**
   * What queries need of it, and nothing that tells of values or of how it is kept: name, kind,
   * column, type, incarnation and maintenance.
   */
  public IndexDefinition forQueries() {
    Builder b = builder(name).kind(kind()).column(column).type(type).incarnation(incarnation);
    if (options instanceof GlobalOptions g) {
      b.maintenance(g.maintenance());
    }
    return b.build();
  }

  /** The index's name, unique within its table. */
  public String name() {
    return name;
  }

  /** Where the index lives. */
  public IndexKind kind() {
    return options.kind();
  }

  /** What indexes of its kind alone have. */
  public IndexOptions options() {
    return options;
  }

  /**
   * The options of a {@link IndexKind#LOCAL} index.
   *
   * @throws IllegalStateException if it is of another kind
   */
  public LocalOptions local() {
    return of(LocalOptions.class);
  }

  /**
   * The options of a {@link IndexKind#GLOBAL} index.
   *
   * @throws IllegalStateException if it is of another kind
   */
  public GlobalOptions global() {
    return of(GlobalOptions.class);
  }

  private <T extends IndexOptions> T of(Class<T> kind) {
    if (!kind.isInstance(options)) {
      throw new IllegalStateException("index '" + name + "' is " + kind());
    }
    return kind.cast(options);
  }

  /** The indexed column. */
  public ColumnName column() {
    return column;
  }

  /** How the column's cells are read. */
  public ValueType type() {
    return type;
  }

  /** How many intervals the statistics count. */
  public int flags() {
    return flags;
  }

  /** Whether an index of the column can store the cells of another: all of its family, or some. */
  public boolean stores(ColumnName other) {
    return options instanceof LocalOptions l && l.include().isPresent()
        ? l.include().get().contains(other)
        : Arrays.equals(other.family(), column.family());
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
    String filter = bloom.isOn() ? " bloom=" + bloom : "";
    return name + " " + kind() + " " + column + " " + type + options.shown(flags) + filter;
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
    private boolean flagsAsked;
    private Collection<ColumnName> include;
    private Layout layout;
    private Maintenance maintenance = Maintenance.DEFERRED;
    private Repair repair = Repair.STREAMING;
    private Boundaries boundaries = Boundaries.VALUES;
    private BloomSize bloom;
    private boolean reserved;
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

    /** How many intervals the statistics of a {@link IndexKind#LOCAL} index count. */
    public Builder flags(int flags) {
      this.flagsAsked = true;
      return readFlags(flags);
    }

    /** As a definition has them that was written; there every kind does. */
    Builder readFlags(int flags) {
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

    /**
     * What the files of a {@link IndexKind#LOCAL} index hold; columnar unless said otherwise, or
     * cells are to be included.
     */
    public Builder layout(Layout layout) {
      this.layout = Objects.requireNonNull(layout);
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

    /** Has a name that no index can have. */
    Builder reserved() {
      reserved = true;
      return this;
    }

    /** For reading a stored definition; a new one draws its own. */
    Builder incarnation(long incarnation) {
      this.incarnation = incarnation;
      return this;
    }

    /** The options of the kind; what belongs to others is refused. */
    private IndexOptions options() {
      return switch (kind) {
        case LOCAL -> {
          refuseGlobal();
          Layout usual = Layout.usual(include != null);
          yield new LocalOptions(
              name,
              column,
              bound("min", min),
              bound("max", max),
              include,
              layout == null ? usual : layout);
        }
        case GLOBAL -> {
          refuseLocal("a GLOBAL index");
          yield new GlobalOptions(maintenance, repair, boundaries);
        }
        case STATS -> {
          refuseLocal("STATS");
          refuseGlobal();
          yield new StatisticsOptions();
        }
      };
    }

    private Operand bound(String option, Object literal) {
      try {
        return literal == null ? null : type.codec().operand(literal);
      } catch (InvalidValueException e) {
        throw new InvalidIndexException(
            "index '" + name + "': " + option + ": " + e.getMessage(), e);
      }
    }

    private void refuseLocal(String what) {
      if (include != null || min != null || max != null || flagsAsked || layout != null) {
        throw new InvalidIndexException(
            "index '"
                + name
                + "': "
                + what
                + " has no include, min, max, flags or layout; leave them out");
      }
    }

    private void refuseGlobal() {
      if (maintenance != Maintenance.DEFERRED
          || repair != Repair.STREAMING
          || boundaries != Boundaries.VALUES) {
        throw new InvalidIndexException(
            "index '"
                + name
                + "': only a GLOBAL index has maintenance, repair or boundaries; leave them out");
      }
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
