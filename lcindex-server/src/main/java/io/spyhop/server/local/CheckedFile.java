package io.spyhop.server.local;

import org.apache.hadoop.fs.Path;

/**
 * A finished file and what it holds.
 *
 * @param path where it is
 * @param checksums of its bytes
 */
record CheckedFile(Path path, FileChecksums checksums) {}
