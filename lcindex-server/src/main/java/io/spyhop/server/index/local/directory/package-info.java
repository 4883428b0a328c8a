/**
 * Where a region server has its index files: its directory and whose it is ({@link
 * io.spyhop.server.index.local.directory.ServerDirectory}), who may read it, and when what lies in
 * it goes ({@link io.spyhop.server.index.local.directory.RegionSweep}).
 */
package io.spyhop.server.index.local.directory;
