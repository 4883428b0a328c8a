/**
 * Keeps the sorted views of a region's stores ({@link io.spyhop.server.view}) in step with their
 * HFiles: {@link io.spyhop.server.index.view.ViewPart} hears of flushes, bulk loads and
 * compactions, {@link io.spyhop.server.index.view.StoreView} compares what is there with what
 * should be and queues a VIEW job for the difference, {@link io.spyhop.server.index.view.ViewBuild}
 * extends or merges, {@link io.spyhop.server.index.view.ViewFiles} keeps the result in the region's
 * directory. A view that is missing is only slower; docs/decisions/0038.
 */
package io.spyhop.server.index.view;
