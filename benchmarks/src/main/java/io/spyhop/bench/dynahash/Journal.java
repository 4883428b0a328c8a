package io.spyhop.bench.dynahash;

import io.spyhop.core.protocol.RebalanceState;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.MD5Hash;

/** HBase's root directory, as who runs the cluster sees it. Stateless. */
final class Journal {
  private static final String DIRECTORY = ".spyhop-rebalance";

  private Journal() {}

  /** What the master noted of a table's last rebalance, see docs/formats/rebalance-journal.md. */
  static RebalanceState last(Configuration conf, TableName table) throws IOException {
    Path root = new Path(conf.get(HConstants.HBASE_DIR));
    Path file = new Path(new Path(root, DIRECTORY), MD5Hash.getMD5AsHex(table.getName()));
    FileSystem fs = root.getFileSystem(conf);
    try (FSDataInputStream in = fs.open(file)) {
      return RebalanceState.decode(in.readAllBytes());
    }
  }

  /** The bytes of all files of a table, of which none but HFiles are large. */
  static long tableBytes(Configuration conf, TableName table) throws IOException {
    Path root = new Path(conf.get(HConstants.HBASE_DIR));
    Path data =
        new Path(new Path(root, HConstants.BASE_NAMESPACE_DIR), table.getNamespaceAsString());
    FileSystem fs = root.getFileSystem(conf);
    return fs.getContentSummary(new Path(data, table.getQualifierAsString())).getLength();
  }
}
