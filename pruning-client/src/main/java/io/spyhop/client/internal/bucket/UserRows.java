package io.spyhop.client.internal.bucket;

import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.InvalidBucketsException;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Results as users of a bucketed table see them: rows without their prefixes. Stateless. */
public final class UserRows {
  private UserRows() {}

  /**
   * A result with the user's key. It may have cells and say that it exists, both: that of a
   * mutation of several parts does.
   *
   * @throws InvalidBucketsException if its row has no prefix: another client has written it
   */
  public static Result of(Result stored) {
    if (stored == null || stored.isEmpty()) {
      return stored;
    }
    Cell[] cells = stored.rawCells();
    if (cells[0].getRowLength() <= BucketOptions.WIDTH) {
      throw new InvalidBucketsException(
          "stored row "
              + Bytes.toStringBinary(stored.getRow())
              + " has no key behind the prefix: it was written without Spyhop's client, and is to"
              + " be deleted in the same way");
    }
    Cell[] users = new Cell[cells.length];
    for (int i = 0; i < cells.length; i++) {
      users[i] = new UserCell(cells[i]);
    }
    Result row = Result.create(users, null, stored.isStale(), stored.mayHaveMoreCellsInRow());
    row.setExists(stored.getExists());
    return row;
  }

  /** The results of a source, which the returned one closes. */
  public static RowSource of(RowSource stored) {
    return new RowSource() {
      @Override
      public Result next() throws IOException {
        return UserRows.of(stored.next());
      }

      @Override
      public void close() throws IOException {
        stored.close();
      }
    };
  }

  /** Results, in their order. */
  public static Result[] of(Result[] stored) {
    return Arrays.stream(stored).map(UserRows::of).toArray(Result[]::new);
  }

  /** What came of a check, with the user's key. */
  public static CheckAndMutateResult of(CheckAndMutateResult stored) {
    return new CheckAndMutateResult(stored.isSuccess(), of(stored.getResult()));
  }
}
