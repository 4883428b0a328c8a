/**
 * What clients and regions say to each other beside scans: a {@link
 * io.spyhop.core.protocol.RegionRequest} travels as an attribute of a Get of the region's first
 * row, the answer as the value of a cell, so that one multi-get asks many regions with one call per
 * server.
 */
package io.spyhop.core.protocol;
