package io.spyhop.core.region;

/** Names of the operation attributes through which clients talk to indexed regions. */
public final class Attributes {
  /** On a Get: a {@link RegionRequest}; the region answers instead of reading the row. */
  public static final String REQUEST = "spyhop.request";

  /** On a Scan: an identifier under which the region keeps what the scan did. */
  public static final String QUERY_ID = "spyhop.query.id";

  /** On a Scan: {@code auto}, {@code scan}, {@code index} or the name of the index to use. */
  public static final String PATH_HINT = "spyhop.path";

  /**
   * On a Put: an {@code EntryTicket}, the entry of the indexed column's cell is written already.
   */
  public static final String ENTERED = "spyhop.entered";

  /** On a Scan: the name of the {@code ScanState} that the client decided on for the region. */
  public static final String SCAN_STATE = "spyhop.state";

  /** The hint that lets the planner choose. */
  public static final String PATH_AUTO = "auto";

  /** The hint for the plain scan. */
  public static final String PATH_SCAN = "scan";

  /** The hint for the cheapest index, even where the planner would scan. */
  public static final String PATH_INDEX = "index";

  private Attributes() {}
}
