package io.spyhop.core.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The release of Spyhop that this program is. Stateless. */
public final class Release {
  private static final String RESOURCE = "/io/spyhop/core/version.properties";

  private Release() {}

  /**
   * What the build wrote into a resource, such as {@code 0.2.0}.
   *
   * @throws IOException if the resource is not there: the jar is not whole
   */
  public static String version() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Release.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IOException("the resource " + RESOURCE + " is missing from the class path");
      }
      properties.load(in);
    }
    return properties.getProperty("version");
  }
}
