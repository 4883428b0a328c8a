package io.spyhop.server.index.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.server.seal.SideFiles;
import io.spyhop.server.view.BuildTerms;
import io.spyhop.server.view.SortedView;
import io.spyhop.server.view.store.LocalRegions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Late writes into the directory of a region that has been closed, and perhaps deleted. */
class LateWritesTest {
  private static final byte[] F = LocalRegions.F;

  @TempDir java.nio.file.Path dir;

  @Test
  void aViewIsNotWrittenOnceTheRegionHasClosed() throws IOException {
    try (LocalRegions regions = new LocalRegions(dir)) {
      HRegion region = regions.open(true, UnaryOperator.identity());
      HStore store = region.getStore(F);
      ViewFiles files = new ViewFiles(region, store.getColumnFamilyDescriptor());
      SortedView view = view(region, store);
      files.write(view);
      assertThat(files.exists()).isTrue();
      files.delete();

      files.close();
      assertThatThrownBy(() -> files.write(view)).isInstanceOf(CancellationException.class);
      assertThat(files.exists()).isFalse();
    }
  }

  @Test
  void aViewMakesNoDirectoryInARegionThatIsGone() throws IOException {
    try (LocalRegions regions = new LocalRegions(dir)) {
      HRegion region = regions.open(true, UnaryOperator.identity());
      HStore store = region.getStore(F);
      ViewFiles files = new ViewFiles(region, store.getColumnFamilyDescriptor());
      SortedView view = view(region, store);
      FileSystem fs = region.getRegionFileSystem().getFileSystem();
      Path home = region.getRegionFileSystem().getRegionDir();
      Path away = home.suffix("-away");
      assertThat(fs.rename(home, away)).isTrue();
      try {
        assertThatThrownBy(() -> files.write(view)).isInstanceOf(FileNotFoundException.class);
        assertThat(fs.exists(home)).isFalse();
      } finally {
        assertThat(fs.rename(away, home)).isTrue();
      }
    }
  }

  @Test
  void sideFilesMakeDirectoriesBelowWhatIsThereOnly() throws IOException {
    try (LocalRegions regions = new LocalRegions(dir)) {
      Path home = new Path(dir.toUri().toString(), "region");
      FileSystem fs = home.getFileSystem(regions.conf());
      Path file = new Path(new Path(home, "ours"), "file");
      assertThatThrownBy(() -> SideFiles.create(fs, home, file, false))
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining("has been deleted");
      assertThat(fs.exists(home)).isFalse();
      fs.mkdirs(home);
      SideFiles.create(fs, home, file, false).close();
      assertThat(fs.exists(file)).isTrue();
    }
  }

  private static SortedView view(HRegion region, HStore store) throws IOException {
    for (int i = 0; i < 2; i++) {
      region.put(new Put(Bytes.toBytes("row" + i)).addColumn(F, F, F));
      region.flush(true);
    }
    List<HStoreFile> stored = new ArrayList<>(store.getStorefiles());
    stored.sort(SpyhopAccess.byAge());
    try (ViewBuild build =
        new ViewBuild(store.getComparator(), F, stored, new BuildTerms(32, 1L << 30, () -> {}))) {
      return build.build(null);
    }
  }
}
