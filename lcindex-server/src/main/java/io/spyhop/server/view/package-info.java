/**
 * One sorted view over several sorted runs, so that a range scan does one binary search and then no
 * key comparison (Zhong, Chen, Wu, Jiang: REMIX, FAST 2021). Pure logic: a run is whatever a {@link
 * io.spyhop.server.view.RunCursor} walks. Read {@link io.spyhop.server.view.SortedView} first, then
 * {@link io.spyhop.server.view.ViewCursor} (reading) and {@link io.spyhop.server.view.ViewMerge}
 * and {@link io.spyhop.server.view.ViewExtension} (making).
 *
 * <pre>
 *   runs       R0: a  d  k  n        R1: b  e  f  g  p        R2: c  h  m
 *
 *   segments   |         0         |         1         |       2       |
 *   keys       | a    b    c    d  | e    f    g    h  | k   m   n   p |
 *   selectors  | 0    1    2    0  | 1    1    1    2  | 0   2   0   1 |
 *   anchors    | ""                | "e"               | "i" ... "k"   |   shortest separators
 *   pointers   | R0@a R1@b R2@c    | R0@k R1@e R2@h    | R0@k R1@p R2@m|
 *
 *   seek("g"): 1. binary search over the anchors: segment 1.
 *              2. the middle of segment 1 is of run 1: R1's keys there are e, f, g, and only they
 *                 are tried: "g" is found at selector 2. R0 and R2 have not been touched.
 *   next:      3. selector 3 says run 2: its cursor is put at R2@h, which is the key.
 *              4. selector 4 says run 0: its cursor is put at R0@k, which is the key. And so on.
 * </pre>
 *
 * <ol>
 *   <li>The <b>order</b> is that of HBase's {@code KeyValueHeap}: the cell comparator's, sequence
 *       ids included; of cells that are equal even so, the one of the run with the higher rank
 *       comes first, and runs are ranked as HBase ranks files, the newest last. It is a property of
 *       immutable files, so a view stays true for as long as its runs exist, and of the runs that
 *       are left it stays true when some are gone.
 *   <li>Each key has a <b>selector</b>: the rank of its run, and how it relates to the key before:
 *       another row, the same row, the same column, or the same key but for its sequence id ({@link
 *       io.spyhop.server.view.Selectors}). What a scan sees is decided by HBase's own matcher; the
 *       relation spares comparisons when the rest of a row or column is skipped.
 *   <li>A <b>segment</b> has D keys. Keys that are the same but for their sequence ids are never
 *       divided between segments, so that a seek, which ignores sequence ids, finds the first of
 *       them; a segment grows past D to keep them together.
 *   <li>An <b>anchor</b> is greater than every key before its segment and not greater than the
 *       segment's first key, hence the last anchor that is not greater than a key is the anchor of
 *       the one segment where the key's place is, or of whose end it is the place.
 *   <li>A <b>pointer</b> says of a segment and a run where the run's first key at or after the
 *       segment's first key is. A run's cursor is put there when the run is first needed, and is
 *       moved on by as many keys as the selectors between say.
 *   <li><b>Runs that are left out</b> (HBase skips files by time range and bloom filter) are passed
 *       over by their selectors; they need no cursor.
 *   <li>A view costs 1 + (anchor + runs x pointer) / D bytes a key. Pointers, anchors' offsets and
 *       segments' starts ascend, and are kept as differences from the first of each 64 ({@link
 *       io.spyhop.server.view.PackedLongs}): a pointer takes two or three bytes.
 * </ol>
 */
package io.spyhop.server.view;
