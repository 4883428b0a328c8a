package io.spyhop.core.io;

import java.io.IOException;

/** A {@link java.util.function.Function} that may fail. */
@FunctionalInterface
public interface IoFunction<T, R> {
  /** The result for the value. */
  R apply(T value) throws IOException;
}
