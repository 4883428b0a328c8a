package io.spyhop.client.internal.prune;

import io.spyhop.client.Consistency;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.core.predicate.BoundPredicate;
import java.util.List;

/**
 * The parts of a query by which regions are selected.
 *
 * @param predicate the whole condition
 * @param families what the scans read, all families by name
 * @param rows the rows asked for
 * @param consistency which writes must be seen
 */
public record PrunedQuery(
    BoundPredicate predicate, List<byte[]> families, RowRanges rows, Consistency consistency) {}
