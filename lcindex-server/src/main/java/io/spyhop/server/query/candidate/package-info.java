/**
 * Finds the rows of a store that may match a predicate, and decides which of them do. {@link
 * io.spyhop.server.query.candidate.CandidateCollector} has the proof sketch.
 *
 * <ol>
 *   <li>{@code StoreSnapshot} takes HFiles and memstore of the driving column's store in one step.
 *       {@code CandidateCollector} looks at every cell of the memstore and of HFiles without index
 *       files ({@code UncoveredReader}), and reads the records in range of all IFiles. Of a
 *       memstore with an index it looks at the rows that this finds ({@code FoundRows}).
 *   <li>A record, or a row of a source without records ({@code WholeRow}), decides by itself if it
 *       has all columns of the predicate, is simple (one version per column, no delete marker, no
 *       tags, nothing expired), its HFile is neither bulk-loaded nor above the read point, and no
 *       other HFile (first and last row, ROW bloom filter) nor the memstore ({@code RowSet}) can
 *       hold the row: {@code SourceVerdict}, which asks {@code FileSource}. A columnar record is
 *       completed by what other HFiles and the memstore have ({@code MemoryRows}), and then decides
 *       for them, too. All other rows are read again ({@code RowReader}).
 *   <li>{@code EntryMerge} has the same in the order of values, from {@code FileEntries} and {@code
 *       MemoryEntries}.
 * </ol>
 */
package io.spyhop.server.query.candidate;
