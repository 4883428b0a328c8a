package io.spyhop.core.protocol;

import io.spyhop.core.bucket.BucketKeys;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The belief of a client about how a table's rows are led by hashes. It travels with each
 * operation, as the table may have been dropped and created with other buckets, or without, since
 * the client looked (docs/decisions/0057). Stateless.
 */
public final class BelievedBuckets {
  /** Every refusal of an operation that does not fit its table's buckets has it. */
  public static final String REMEDY = "open it again (Spyhop.open)";

  private static final String NONE = "no hash";
  private static final int MOST_SHOWN = 60;

  private BelievedBuckets() {}

  /** Has an operation say what its client believes; empty for a table without buckets. */
  public static void sign(OperationWithAttributes operation, Optional<BucketKeys> keys) {
    operation.setAttribute(Attributes.BUCKETS, text(keys).getBytes(StandardCharsets.US_ASCII));
  }

  private static String text(Optional<BucketKeys> keys) {
    return keys.map(BucketKeys::toString).orElse(NONE);
  }

  /**
   * Why an operation cannot be meant for a table.
   *
   * @param keys that the table has; empty if it has no buckets
   * @return empty if it can, or does not say what its client believes
   */
  public static Optional<String> refusal(
      TableName table, OperationWithAttributes operation, Optional<BucketKeys> keys) {
    byte[] believed = operation.getAttribute(Attributes.BUCKETS);
    if (believed == null
        || Arrays.equals(believed, text(keys).getBytes(StandardCharsets.US_ASCII))) {
      return Optional.empty();
    }
    String shown = Bytes.toStringBinary(believed, 0, Math.min(MOST_SHOWN, believed.length));
    return Optional.of(
        "rows of table '"
            + table
            + "' are led by "
            + text(keys)
            + ", and the client takes them to be led by "
            + shown
            + ": the table was created anew since; "
            + REMEDY);
  }

  /** Whether an operation failed as it did not fit its table's buckets. */
  public static boolean isRefusal(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (String.valueOf(t.getMessage()).contains(REMEDY)) {
        return true;
      }
    }
    return false;
  }
}
