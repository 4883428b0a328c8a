package io.spyhop.server.index.global.opening;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.ServerName;

/** The openings of regions that were reported to the master, as hbase:meta has them. */
@FunctionalInterface
public interface ReportedOpenings {
  /** The word of hbase:meta on a mark: no opening has taken writes since that it does not cover. */
  enum Presence {
    /** The region is open, by this opening. */
    OPEN,

    /**
     * The region is between two openings: the mark is of the one before, which the next one goes on
     * from, or of the next one already. In a moment it may be otherwise.
     */
    MOVING
  }

  /**
   * What is known of marks; those are left out that say nothing any more, or not yet.
   *
   * @param marks of one table
   * @param watches whether regions of the table that a server opens are watched
   */
  Map<OpeningMark, Presence> present(Collection<OpeningMark> marks, Predicate<ServerName> watches)
      throws IOException;
}
