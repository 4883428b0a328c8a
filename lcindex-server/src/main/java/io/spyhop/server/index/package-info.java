/**
 * The contract between a region's hooks and each kind of index: {@link
 * io.spyhop.server.index.RegionPart}, made with a {@link io.spyhop.server.index.RegionContext}.
 * This package knows no kind; each kind has a package below it.
 */
package io.spyhop.server.index;
