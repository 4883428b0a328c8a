package io.spyhop.cli.commands;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into a resource. */
final class Version implements IVersionProvider {
  private static final String RESOURCE = "/io/spyhop/cli/version.properties";

  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IOException("the resource " + RESOURCE + " is missing from the class path");
      }
      properties.load(in);
    }
    return new String[] {"spyhop " + properties.getProperty("version")};
  }
}
