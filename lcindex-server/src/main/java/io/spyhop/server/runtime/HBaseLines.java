package io.spyhop.server.runtime;

import java.io.IOException;
import java.util.regex.Pattern;

/** The versions of HBase that Spyhop fits (docs/compatibility.md). Stateless. */
public final class HBaseLines {
  private static final Pattern FITS = Pattern.compile("2\\.[56]\\..*");

  private HBaseLines() {}

  /**
   * Refuses others.
   *
   * @param version as HBase names its own
   */
  public static void check(String version) throws IOException {
    if (!FITS.matcher(version).matches()) {
      throw new IOException(
          "Spyhop does not fit HBase "
              + version
              + ", but 2.5 and 2.6: take its jar out of lib/ and its settings out of hbase-site.xml");
    }
  }
}
