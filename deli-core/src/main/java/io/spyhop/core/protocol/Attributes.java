package io.spyhop.core.protocol;

/** Names of the operation attributes through which clients talk to indexed regions. */
public final class Attributes {
  /** On a Get: a {@link RegionRequest}; the region answers instead of reading the row. */
  public static final String REQUEST = "spyhop.request";

  /**
   * Beside {@link #REQUEST}, and on a Scan or a Get that a region may refuse: the {@link Protocol}
   * that the client speaks, in decimal text.
   */
  public static final String PROTOCOL = "spyhop.protocol";

  /**
   * Beside {@link #REQUEST} of kind {@code SUMMARY}: a {@link DigestRequest}, to be answered by a
   * {@link DigestAnswer} for the table's regions on the server. Servers that do not know of it
   * answer for the region alone.
   */
  public static final String DIGEST = "spyhop.digest";

  /** On a Scan: an identifier under which the region keeps what the scan did. */
  public static final String QUERY_ID = "spyhop.query.id";

  /** On a Scan: {@code auto}, {@code scan}, {@code index} or the name of the index to use. */
  public static final String PATH_HINT = "spyhop.path";

  /**
   * On a Scan, and beside {@link #REQUEST} where a plan is asked for: how many rows of the whole
   * answer the client will take, over 0, in decimal text. Regions plan by it, and answer alike.
   */
  public static final String LIMIT = "spyhop.limit";

  /**
   * On a Scan: an {@code AggregateRequest}. Regions send partial results in place of rows where
   * they can, and rows where they cannot.
   */
  public static final String AGGREGATE = "spyhop.aggregate";

  /** On a Get that asks for a plan: the {@code OrderRequest} that the scan would be sent with. */
  public static final String ORDER = "spyhop.order";

  /** On a Get that asks for a plan: the row that the scan would start at, inclusive. */
  public static final String START_ROW = "spyhop.start";

  /** On a Get that asks for a plan: the row that the scan would stop at, exclusive. */
  public static final String STOP_ROW = "spyhop.stop";

  /**
   * On a Put: an {@code EntryTicket}, the entry of the indexed column's cell is written already.
   */
  public static final String ENTERED = "spyhop.entered";

  /**
   * On a Scan within a question for first rows: how many milliseconds the call may take for all of
   * its regions, in decimal text; 200 without.
   */
  public static final String MOST_MILLIS = "spyhop.millis";

  /** On a Scan: the name of the {@code ScanState} that the client decided on for the region. */
  public static final String SCAN_STATE = "spyhop.state";

  /**
   * On a Scan: for each column of its predicate one byte, 1 if its type is what the client knows as
   * the table's declaration. A region that knows of another declaration refuses the scan ({@link
   * Refusal}); what it does not know of is no reason.
   */
  public static final String DECLARED = "spyhop.declared";

  /** On a Get of several: the {@link AnswerRoom} of its server, in decimal text. */
  public static final String ANSWER_ROOM = "spyhop.room";

  /**
   * On a Scan: what the client's work is known by in traces, the text of W3C's {@code traceparent}.
   */
  public static final String TRACE = "spyhop.trace";

  /**
   * On a Scan, a Get or a mutation: how the client takes the table's rows to be led by buckets, as
   * {@link BelievedBuckets} has it. A region whose table has others refuses the operation.
   */
  public static final String BUCKETS = "spyhop.buckets";

  /** The hint that lets the planner choose. */
  public static final String PATH_AUTO = "auto";

  /** The hint for the plain scan. */
  public static final String PATH_SCAN = "scan";

  /** The hint for the cheapest index, even where the planner would scan. */
  public static final String PATH_INDEX = "index";

  private Attributes() {}
}
