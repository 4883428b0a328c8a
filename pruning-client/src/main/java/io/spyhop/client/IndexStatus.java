package io.spyhop.client;

import io.spyhop.core.schema.IndexDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The progress of one index over all regions of its table: {@link Local}, {@link Global} or {@link
 * Statistics}, each with what can be said of its kind. Immutable, thread-safe.
 */
public sealed interface IndexStatus {
  /** The index, as the table's descriptor has it. */
  IndexDefinition definition();

  /** Whether it covers its table. */
  State state();

  /** How many regions the table has. */
  int regions();

  /** What went wrong, each in one line; empty if nothing did. */
  List<String> errors();

  /** For example {@code 3 of 8 HFiles covered, 7 of 8 regions answered}. */
  String covers();

  /** States of an index: whether it covers its table. Queries are right in either state. */
  enum State {
    /**
     * Some HFiles are not covered yet, or some regions do not say: queries read these whole. Of a
     * global index: it is not complete, or not there, and no query uses it.
     */
    BUILDING,
    /** Every region answered, and every HFile is covered; a global index is complete. */
    ACTIVE
  }

  /** How far a global index is that is being built; empty of others. */
  default Optional<Build> build() {
    return this instanceof Global g && g.state == State.BUILDING
        ? Optional.of(g.read)
        : Optional.empty();
  }

  /** The index's name. */
  default String name() {
    return definition().name();
  }

  /** For example {@code index 'price' BUILDING: 3 of 8 HFiles covered, 7 of 8 regions answered}. */
  default String progress() {
    String why = errors().isEmpty() ? "" : " (" + String.join("; ", errors()) + ")";
    return "index '" + name() + "' " + state() + ": " + covers() + why;
  }

  /**
   * An index in files beside the HFiles.
   *
   * @param regionsAnswered how many regions work with this incarnation of the index and said so;
   *     all numbers that follow are sums over these
   * @param files HFiles of the indexed family
   * @param covered those with committed index files
   * @param entries index entries
   * @param undecodable cells that do not decode as the declared type
   * @param unkeyable values without a key, which every query reads
   * @param ifileBytes size of the IFiles
   * @param sfileBytes size of the SFiles
   * @param pending jobs that wait or run
   */
  record Local(
      IndexDefinition definition,
      State state,
      int regions,
      int regionsAnswered,
      long files,
      long covered,
      long entries,
      long undecodable,
      long unkeyable,
      long ifileBytes,
      long sfileBytes,
      int pending,
      List<String> errors)
      implements IndexStatus {
    /** Copies the errors. */
    public Local {
      errors = List.copyOf(errors);
    }

    @Override
    public String covers() {
      return covered
          + " of "
          + files
          + " HFiles covered, "
          + regionsAnswered
          + " of "
          + regions
          + " regions answered";
    }
  }

  /**
   * An index in a table of its own.
   *
   * @param built regions of the base table whose cells all have their entries
   * @param read for that
   * @param repairs that wait or run
   * @param repairedUpTo up to when all that flushes and compactions found obsolete has been
   *     repaired, in milliseconds by the servers' clocks; 0 if a region does not know yet
   */
  record Global(
      IndexDefinition definition,
      State state,
      int regions,
      int built,
      Build read,
      int repairs,
      long repairedUpTo,
      List<String> errors)
      implements IndexStatus {
    /** Copies the errors. */
    public Global {
      errors = List.copyOf(errors);
    }

    @Override
    public String covers() {
      String regionsBuilt = built + " of " + regions + " regions built";
      return build().map(b -> regionsBuilt + ", " + b).orElse(regionsBuilt);
    }
  }

  /**
   * Progress of building a global index: the parts of its table that servers have read. A region is
   * counted anew when another server has it.
   *
   * @param rows those that were read
   * @param bytes of their cells, uncompressed; those of regions that are built, too
   * @param of bytes of all cells of the regions that answered
   * @param left the time until all is read at the speed of now, if any region is being read
   */
  record Build(long rows, long bytes, long of, Optional<Duration> left) {
    private static final double MEGABYTE = 1 << 20;

    /** For example {@code 1200000 rows read, 340.5 of 910.0 MB, 120 s left}. */
    @Override
    public String toString() {
      String size = String.format(Locale.ROOT, "%.1f of %.1f MB", bytes / MEGABYTE, of / MEGABYTE);
      return rows
          + " rows read, "
          + size
          + left.map(d -> ", " + d.toSeconds() + " s left").orElse("");
    }
  }

  /**
   * Statistics alone.
   *
   * @param known regions that know their statistics
   * @param bytes size of the statistics
   */
  record Statistics(
      IndexDefinition definition,
      State state,
      int regions,
      int known,
      long bytes,
      List<String> errors)
      implements IndexStatus {
    /** Copies the errors. */
    public Statistics {
      errors = List.copyOf(errors);
    }

    @Override
    public String covers() {
      return known + " of " + regions + " regions known";
    }
  }
}
