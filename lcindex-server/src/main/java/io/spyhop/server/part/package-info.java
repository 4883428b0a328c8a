/**
 * The contract between a region's hooks and each kind of index: {@link
 * io.spyhop.server.part.RegionPart}. It knows no kind.
 */
package io.spyhop.server.part;
