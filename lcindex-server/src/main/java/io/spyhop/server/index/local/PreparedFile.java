package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.stats.ColumnStatistics;
import java.io.Closeable;
import java.io.IOException;

/**
 * A finished IFile under {@code .tmp} with its statistics, to be committed or thrown away. Not
 * thread-safe.
 */
public final class PreparedFile implements Closeable {
  private final IndexDirectory directory;
  private final BuildSettings settings;
  private final CheckedFile ifile;
  private final String hfile;
  private final IndexDefinition definition;
  private final long cells;
  private final ColumnStatistics statistics;
  private boolean committed;

  PreparedFile(
      IndexDirectory directory,
      BuildSettings settings,
      CheckedFile ifile,
      String hfile,
      IndexDefinition definition,
      long cells,
      ColumnStatistics statistics) {
    this.directory = directory;
    this.settings = settings;
    this.ifile = ifile;
    this.hfile = hfile;
    this.definition = definition;
    this.cells = cells;
    this.statistics = statistics;
  }

  /** The index that the file is of, or the rows. */
  public IndexDefinition definition() {
    return definition;
  }

  /** Moves IFile and SFile to where they are found. */
  public IndexFile commit() throws IOException {
    IndexFile file = directory.commit(ifile.path(), this::header, settings.family());
    committed = true;
    return file;
  }

  private SFile header(String name) {
    return new SFile(hfile, definition, name, ifile.checksums(), cells, statistics);
  }

  @Override
  public String toString() {
    return hfile + "/" + definition.name();
  }

  /** Deletes the file if it was not committed. */
  @Override
  public void close() throws IOException {
    if (!committed) {
      directory.deleteTemporary(ifile.path());
    }
  }
}
