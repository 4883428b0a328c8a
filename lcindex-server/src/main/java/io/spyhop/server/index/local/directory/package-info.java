/**
 * A region server's directory of index files: where it is and whose ({@link
 * io.spyhop.server.index.local.directory.ServerDirectory}), who may read it, and when what lies in
 * it goes ({@link io.spyhop.server.index.local.directory.RegionSweep}).
 */
package io.spyhop.server.index.local.directory;
