package io.spyhop.server.index.local;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * What is read of the index files of one HFile.
 *
 * @param keys the keys to read
 * @param predicate whose columns records are judged by
 * @param qualifiers the selected qualifiers of the family; null or empty for all
 * @param startRow rows before it need not be read; empty for none
 * @param stopRow rows behind it need not be read; empty for none
 * @param hfile the HFile, which stays open
 * @param beside if present, rows that do not match the predicate may be left out: columnar files of
 *     the same HFile that tell of further columns, held by the caller
 * @param cacheBlocks whether blocks that are read go to the block cache
 */
public record RecordRequest(
    KeyRanges keys,
    BoundPredicate predicate,
    NavigableSet<byte[]> qualifiers,
    byte[] startRow,
    byte[] stopRow,
    StoreFileReader hfile,
    Optional<List<IndexFile>> beside,
    CacheConfig cache,
    Configuration conf,
    boolean cacheBlocks) {}
