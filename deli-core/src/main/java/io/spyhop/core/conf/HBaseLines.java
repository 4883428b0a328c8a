package io.spyhop.core.conf;

import java.util.Optional;
import java.util.regex.Pattern;

/** The versions of HBase that Spyhop fits (docs/compatibility.md). Stateless. */
public final class HBaseLines {
  private static final Pattern FITS = Pattern.compile("2\\.[56]\\..*");
  private static final Pattern COUNTS_NO_BLOCKS = Pattern.compile("2\\.5\\..*");

  private HBaseLines() {}

  /**
   * Refuses others.
   *
   * @param version as HBase names its own
   * @param remedy what to do where it does not fit, in one line
   * @throws UnsupportedOperationException if it does not fit
   */
  public static void check(String version, String remedy) {
    if (!FITS.matcher(version).matches()) {
      throw new UnsupportedOperationException(
          "Spyhop does not fit HBase " + version + ", but 2.5 and 2.6: " + remedy);
    }
  }

  /**
   * What users of Spyhop go without in a version that it fits, in one line; nothing for others.
   *
   * @param version as HBase names its own
   */
  public static Optional<String> lackOf(String version) {
    return COUNTS_NO_BLOCKS.matcher(version).matches()
        ? Optional.of(
            "HBase "
                + version
                + " has no /prometheus, and counts no bytes of blocks for quotas and metrics of scans")
        : Optional.empty();
  }
}
