package io.spyhop.core.io;

import java.io.IOException;

/** A {@link java.util.function.Supplier} that may fail. */
@FunctionalInterface
public interface IoSupplier<T> {
  /** The value as of now. */
  T get() throws IOException;
}
