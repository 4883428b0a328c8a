package io.spyhop.bench.dynahash;

import io.spyhop.bench.dynahash.Rows.Digest;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;

/** Digests of what tables answer. Stateless. */
final class Answers {
  private Answers() {}

  /**
   * Reads all rows, and closes the scanner.
   *
   * @param prefix bytes of stored rows before the users' keys
   */
  static Digest of(ResultScanner scanner, int prefix) throws IOException {
    Digest digest = new Digest();
    try (scanner) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        digest.add(key(row, prefix), row);
      }
    }
    return digest;
  }

  /** The rows of a query; see the other method. */
  static Digest of(Spyhop spyhop, TableName table, Query query, int prefix) throws IOException {
    Digest digest = new Digest();
    try (RowCursor rows = spyhop.table(table).query(query)) {
      for (Result row : rows) {
        digest.add(key(row, prefix), row);
      }
    }
    return digest;
  }

  private static byte[] key(Result row, int prefix) {
    byte[] stored = row.getRow();
    return Arrays.copyOfRange(stored, prefix, stored.length);
  }
}
