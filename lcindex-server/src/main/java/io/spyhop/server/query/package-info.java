/**
 * Answering a scan from indexes, exactly. {@link io.spyhop.server.query.RegionQueries} is the
 * entry, {@link io.spyhop.server.query.CandidateCollector} the algorithm and its proof sketch.
 *
 * <p>One scan:
 *
 * <ol>
 *   <li>{@code RegionQueries.open} gets each scan with its whole filter: {@code ScanFilter} finds
 *       the predicate in it, {@code CellVisibility} what the caller may see, {@code QueryPlanner}
 *       the cheapest way. The region's own scanner stays open below: it pins the read point, and
 *       takes over if anything fails before the first row.
 *   <li>{@code StoreSnapshot} takes HFiles and memstore of the driving column's store in one step.
 *       {@code CandidateCollector} looks at every cell of the memstore and of HFiles without index
 *       files ({@code UncoveredReader}), and reads the records in range of all IFiles.
 *   <li>A record, or a row of a source without records ({@code WholeRow}), decides by itself if it
 *       has all columns of the predicate, is simple (one version per column, no delete marker, no
 *       tags, nothing expired), its HFile is neither bulk-loaded nor above the read point, and no
 *       other HFile (first and last row, ROW bloom filter) nor the memstore ({@code RowSet}) can
 *       hold the row: {@code SourceVerdict}, which asks {@code FileSource}. All other rows are read
 *       again ({@code RowReader}).
 *   <li>Where security filters hide cells no record decides, and every row is read again through
 *       the scan's own filters (docs/decisions/0013).
 * </ol>
 */
package io.spyhop.server.query;
