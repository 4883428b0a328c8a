/**
 * The contract between a region's hooks and each kind of index: {@link
 * io.spyhop.server.index.RegionPart}. It knows no kind.
 */
package io.spyhop.server.index;
