package io.spyhop.core.io;

import java.io.IOException;

/** A {@link java.util.function.Consumer} that may fail. */
@FunctionalInterface
public interface IoConsumer<T> {
  /** Takes the value. */
  void accept(T value) throws IOException;
}
