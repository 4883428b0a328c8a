package io.spyhop.server.index.global.repair;

import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.EntryList;
import java.util.Collection;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Validates the entries of messages before anything is done about them: an entry cut elsewhere, or
 * with the timestamp that stands for the newest, would name the entry of a live cell. Stateless.
 */
public final class EntryValidation {
  private EntryValidation() {}

  /**
   * Checks all.
   *
   * @throws DoNotRetryIOException if one is not {@link Entry#isSound() sound}
   */
  public static void require(Collection<Entry> entries) throws DoNotRetryIOException {
    for (Entry e : entries) {
      if (!e.isSound()) {
        throw new DoNotRetryIOException(
            "Spyhop: no cell can have the entry ("
                + length(e.valueKey())
                + " of a value key, "
                + length(e.row())
                + " of a row, timestamp "
                + e.timestamp()
                + "): nothing is done about any");
      }
    }
  }

  /**
   * Checks that they are no more than a user may have looked at in one call.
   *
   * @param bytes how many they may have
   * @throws DoNotRetryIOException if they are
   */
  static void requireFew(Collection<Entry> entries, long bytes) throws DoNotRetryIOException {
    if (entries.size() > EntryList.MOST_REPORTED
        || entries.stream().mapToLong(Entry::bytes).sum() > bytes) {
      throw new DoNotRetryIOException(
          "Spyhop: more than "
              + EntryList.MOST_REPORTED
              + " entries or "
              + bytes
              + " bytes in one call");
    }
  }

  private static String length(byte[] bytes) {
    return bytes == null ? "null" : bytes.length + " bytes";
  }
}
