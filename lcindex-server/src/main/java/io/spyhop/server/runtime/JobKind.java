package io.spyhop.server.runtime;

/**
 * The kinds of index job (LCIndex, section III.C.2 and Figure 5). What a job waits for:
 *
 * <pre>
 *   FLUSH             -
 *   COMMIT            its FLUSH
 *   COMPACT           COMMIT, COMPLETE_COMPACT and REMOTE of the inputs' files, if under way
 *   COMPLETE_COMPACT  its COMPACT
 *   PAIRS             -
 *   ARCHIVE           -
 *   REMOTE            -
 *   STATISTICS        -
 *   VIEW              -
 * </pre>
 *
 * <p>Files that a COMPACT job may read are not archived before it is over.
 */
public enum JobKind {
  /** Builds the index files of an HFile by reading it: after a flush, a bulk load, a new index. */
  FLUSH(2_000),
  /** Moves what a FLUSH job built to where queries find it. */
  COMMIT(0),
  /** Makes the index files of a compacted HFile, by merging its inputs' or by reading it. */
  COMPACT(4_000),
  /** Moves what a COMPACT job made to where queries find it. */
  COMPLETE_COMPACT(0),
  /** Finds the rows that an HFile shares with others of its store, where queries will ask. */
  PAIRS(3_000),
  /** Deletes the files of HFiles that are gone and of dropped indexes. */
  ARCHIVE(1_000),
  /** Takes over files that exist already: a split parent's, or another server's. */
  REMOTE(1_000),
  /** Reads an HFile or a memstore of which no statistics were gathered when it was written. */
  STATISTICS(1_000),
  /** Reads, extends or merges the sorted view over a store's HFiles. */
  VIEW(3_000);

  private final long allowance;

  JobKind(long allowance) {
    this.allowance = allowance;
  }

  /** Milliseconds by which a job of this kind lets jobs go first that were queued after it. */
  long allowance() {
    return allowance;
  }
}
