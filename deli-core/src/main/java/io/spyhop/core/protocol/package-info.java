/**
 * All that clients, regions and servers say to each other beside scans. A {@link
 * io.spyhop.core.protocol.RegionRequest} travels as an attribute of a Get of the region's first
 * row, the answer as the value of a cell, so that one multi-get asks many regions with one call per
 * server; {@link io.spyhop.core.protocol.ServerCalls} are calls of a server or of an index table's
 * region.
 */
package io.spyhop.core.protocol;
