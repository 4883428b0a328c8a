package io.spyhop.server.testing;

import io.spyhop.core.schema.Layout;
import java.util.Locale;
import java.util.Optional;

/** The layout that {@code -Dspyhop.layout=clustering|columnar} asks local indexes to have. */
public final class Layouts {
  private Layouts() {}

  /** That, or the one that indexes have without being told. */
  public static Layout usual() {
    return asked().orElse(Layout.COLUMNAR);
  }

  /** Empty if tests are to choose. */
  public static Optional<Layout> asked() {
    return Optional.ofNullable(System.getProperty("spyhop.layout"))
        .map(text -> Layout.valueOf(text.toUpperCase(Locale.ROOT)));
  }
}
