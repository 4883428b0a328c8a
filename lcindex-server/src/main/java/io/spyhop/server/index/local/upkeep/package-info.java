/**
 * Keeps index files in step with HFiles. Each region has a {@link
 * io.spyhop.server.index.local.upkeep.RegionMaintainer} that compares its HFiles with its index
 * files, and starts jobs for the difference; {@link
 * io.spyhop.server.index.local.upkeep.IndexService} has what a server's regions share.
 *
 * <p>One HFile:
 *
 * <ol>
 *   <li>While a flush or compaction writes, {@code FileStreams} builds columnar files of it, so
 *       that the job for the HFile has little left to do (docs/decisions/0084).
 *   <li>A FLUSH job builds the files of one HFile, a COMMIT job publishes them. Flush, bulk load,
 *       opening, a new or dropped index, a failed job and a damaged file all end in the same
 *       comparison.
 *   <li>A compaction's HFile names its inputs. The COMPACT job waits for jobs that still build the
 *       inputs' files and merges these ({@code IndexMerge}), if no other coprocessor changed what
 *       the compaction read ({@code CompactionWatch}) and the counts prove that it kept every cell
 *       and joined no row (docs/decisions/0010). Otherwise it reads the HFile.
 *   <li>When a region opens with HFiles from elsewhere a REMOTE job looks for their files ({@code
 *       RemoteSearch}): a split parent's or a clone's origin's are read in place, bounded by the
 *       region; a moved region's are copied (docs/decisions/0011).
 *   <li>A pair whose HFile is gone is taken out, and an ARCHIVE job deletes it when the last reader
 *       is done.
 * </ol>
 */
package io.spyhop.server.index.local.upkeep;
