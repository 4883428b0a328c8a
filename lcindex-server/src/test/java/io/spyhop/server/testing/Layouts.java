package io.spyhop.server.testing;

import io.spyhop.core.schema.Layout;
import java.util.Locale;
import java.util.Optional;

/** The layout that {@code -Dspyhop.layout=clustering|columnar} asks local indexes to have. */
public final class Layouts {
  private Layouts() {}

  /** Empty if tests are to choose. */
  public static Optional<Layout> asked() {
    return Optional.ofNullable(System.getProperty("spyhop.layout"))
        .map(text -> Layout.valueOf(text.toUpperCase(Locale.ROOT)));
  }
}
