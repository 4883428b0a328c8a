package io.spyhop.cli.commands;

import io.spyhop.core.protocol.Release;
import java.io.IOException;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into a resource. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    return new String[] {"spyhop " + Release.version()};
  }
}
