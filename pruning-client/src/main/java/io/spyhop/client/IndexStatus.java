package io.spyhop.client;

import io.spyhop.core.schema.IndexDefinition;
import java.util.List;

/**
 * How far one index is, over all regions of its table. Immutable, thread-safe.
 *
 * <p>Of a global index, {@code files} and {@code covered} count regions of the base table: all, and
 * those whose cells all have their entries; {@code pending} counts repairs. Of statistics alone,
 * they count regions, too: all, and those that know their statistics; and {@code sfileBytes} is
 * their size. What cannot be known without reading it is 0.
 *
 * @param definition the index, as the table's descriptor has it
 * @param state whether all HFiles are covered
 * @param regions how many regions the table has
 * @param regionsAnswered how many of them work with this incarnation of the index and said so; all
 *     numbers that follow are sums over these
 * @param files HFiles of the indexed family
 * @param covered those with committed index files
 * @param entries index entries
 * @param undecodable cells that do not decode as the declared type
 * @param unkeyable values without a key, which every query reads
 * @param ifileBytes size of the IFiles
 * @param sfileBytes size of the SFiles
 * @param pending jobs that wait or run
 * @param repairedUpTo of a global index, up to when all that flushes and compactions found obsolete
 *     has been repaired, in milliseconds by the servers' clocks; 0 if a region does not know yet
 * @param errors what went wrong, each in one line; empty if nothing did
 */
public record IndexStatus(
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
    long repairedUpTo,
    List<String> errors) {
  /** Whether an index covers its table. Queries are right in either state. */
  public enum State {
    /**
     * Some HFiles are not covered yet, or some regions do not say: queries read these whole. Of a
     * global index: it is not complete, or not there, and no query uses it.
     */
    BUILDING,
    /** Every region answered, and every HFile is covered; a global index is complete. */
    ACTIVE
  }

  /** Copies the errors. */
  public IndexStatus {
    errors = List.copyOf(errors);
  }

  /** The index's name. */
  public String name() {
    return definition.name();
  }

  /** For example {@code index 'price' BUILDING: 3 of 8 HFiles covered, 7 of 8 regions answered}. */
  public String progress() {
    return switch (definition.kind()) {
      case GLOBAL -> byRegions("built");
      case STATS -> byRegions("known");
      default -> localProgress();
    };
  }

  private String byRegions(String how) {
    return "index '"
        + name()
        + "' "
        + state
        + ": "
        + covered
        + " of "
        + files
        + " regions "
        + how
        + errorText();
  }

  private String errorText() {
    return errors.isEmpty() ? "" : " (" + String.join("; ", errors) + ")";
  }

  private String localProgress() {
    return "index '"
        + name()
        + "' "
        + state
        + ": "
        + covered
        + " of "
        + files
        + " HFiles covered, "
        + regionsAnswered
        + " of "
        + regions
        + " regions answered"
        + errorText();
  }
}
