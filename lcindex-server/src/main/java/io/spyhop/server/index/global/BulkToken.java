package io.spyhop.server.index.global;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The directory that a bulk load names for its files on their way. HBase makes one there for each
 * family, as the user who loads, when the files have been read for their entries; where that user
 * cannot, all of it was for nothing. Stateless.
 */
final class BulkToken {
  private static final FsPermission EVERYBODY = new FsPermission((short) 0777);

  private BulkToken() {}

  /**
   * Does what HBase does next, if it can be done already.
   *
   * @param files by family
   * @throws DoNotRetryIOException if HBase will not be able to load the thread's request
   */
  static void require(TableName table, List<Pair<byte[], String>> files, Configuration conf)
      throws IOException {
    Optional<String> token = ofCall();
    if (token.isEmpty() || mayLackCredentials(files, FileSystem.getDefaultUri(conf))) {
      return;
    }
    try {
      Path staging = new Path(token.get());
      try (FileSystem fs = BulkEntries.loadersView(FileSystem.getDefaultUri(conf), conf)) {
        for (Pair<byte[], String> file : files) {
          Path family = new Path(staging, Bytes.toString(file.getFirst()));
          if (!fs.exists(family)) {
            fs.mkdirs(family);
            fs.setPermission(family, EVERYBODY);
          }
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new DoNotRetryIOException(
          "table '"
              + table
              + "': the bulk load's token '"
              + token.get()
              + "' names no directory that its user may write to, as one does that was prepared for"
              + " it: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Whether the user's own credentials may be for another file system than that of the directory:
   * HBase gets those later.
   */
  private static boolean mayLackCredentials(List<Pair<byte[], String>> files, URI staging) {
    return UserGroupInformation.isSecurityEnabled()
        && files.stream()
            .map(f -> new Path(f.getSecond()).makeQualified(staging, new Path("/")).toUri())
            .anyMatch(
                uri ->
                    !Objects.equals(uri.getScheme(), staging.getScheme())
                        || !Objects.equals(uri.getAuthority(), staging.getAuthority()));
  }

  /** Loads of programs on the server have none, and those of old clients. */
  private static Optional<String> ofCall() {
    return RpcServer.getCurrentCall()
        .map(call -> call.getParam())
        .filter(BulkLoadHFileRequest.class::isInstance)
        .map(BulkLoadHFileRequest.class::cast)
        .filter(BulkLoadHFileRequest::hasBulkToken)
        .map(BulkLoadHFileRequest::getBulkToken);
  }
}
