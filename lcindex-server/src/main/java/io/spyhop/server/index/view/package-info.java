/**
 * Keeps the sorted views of a region's stores ({@link io.spyhop.server.view}) in step with their
 * HFiles: {@link io.spyhop.server.index.view.ViewPart} hears of flushes, bulk loads and
 * compactions, {@link io.spyhop.server.index.view.StoreView} compares what is there with what
 * should be and queues a VIEW job for the difference, {@link io.spyhop.server.index.view.ViewBuild}
 * extends or merges, {@link io.spyhop.server.index.view.ViewFiles} keeps the result in the region's
 * directory. A view that is missing is only slower; docs/decisions/0038.
 *
 * <p>One change of a store:
 *
 * <ol>
 *   <li>After a flush, a bulk load or a compaction a view of which an HFile is gone is dropped at
 *       once.
 *   <li>With the ticker's next turn ({@code ViewService.reconcile}) the view's runs are compared
 *       with the HFiles. {@link io.spyhop.server.index.view.ViewPlan} says whether a newer view is
 *       due, and of which HFiles, by what {@link io.spyhop.server.index.view.ViewCredit} has of
 *       writes and scans (docs/decisions/0054). HFiles whose keys fall into little of the view are
 *       added ({@code ViewExtension}), otherwise it is merged ({@code ViewMerge}), as far as the
 *       server has memory for it.
 *   <li>The view is written into the region's directory, from where the next opening takes it. It
 *       is dropped, too, when the region closes and when reading it fails: that scanner fails,
 *       HBase's client asks again, and gets HBase's own scanners.
 * </ol>
 */
package io.spyhop.server.index.view;
