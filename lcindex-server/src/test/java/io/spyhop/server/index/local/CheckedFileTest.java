package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** HBase takes no IFile for a file of its own, whose blocks it may not cache. */
class CheckedFileTest {
  private static final String HFILE = "0123456789abcdef0123456789abcdef";
  private static final String REGION = "fedcba9876543210fedcba9876543210";

  static List<String> hfiles() {
    String link = HFileLink.createHFileLinkName(TableName.valueOf("t"), REGION, HFILE);
    return List.of(
        HFILE,
        HFILE + "_SeqId_12_",
        HFILE + "_del",
        HFILE + "." + REGION,
        link,
        link + "." + REGION,
        HFileLink.createHFileLinkName(TableName.valueOf("n", "i.t-1"), REGION, HFILE));
  }

  @ParameterizedTest
  @MethodSource("hfiles")
  void itsNameIsNoneOfHBase(String hfile) {
    Path path = new Path("/dir/" + REGION, hfile + ".index.01234567" + IFileWriter.SUFFIX);
    Path cached = new CheckedFile(path, null).cached();
    assertThat(cached.getParent()).isEqualTo(path.getParent());
    assertThat(cached.getName()).isNotEqualTo(path.getName());
    assertThat(StoreFileInfo.isReference(cached)).isFalse();
    assertThat(HFileLink.isHFileLink(cached)).isFalse();
    assertThat(StoreFileInfo.isHFile(cached)).isFalse();
    assertThat(StoreFileInfo.isMobFile(cached)).isFalse();
    assertThat(StoreFileInfo.isMobRefFile(cached)).isFalse();
  }
}
