package io.spyhop.server.fuzz;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Something that reads bytes of unknown origin.
 *
 * @param reader the method, as {@code class#method}
 * @param call reads
 * @param use what is done with what was read, which must not fail at all
 * @param refusals what the method's documentation says it throws
 * @param valid makes a message that it reads
 * @param foreign what HBase allocates beside, whatever the message is
 */
record Decoder(
    String reader,
    Call call,
    Use use,
    Set<Class<? extends Throwable>> refusals,
    Function<Values, byte[]> valid,
    long foreign) {
  /** A decoder that is on its own. */
  Decoder(
      String reader,
      Call call,
      Use use,
      Set<Class<? extends Throwable>> refusals,
      Function<Values, byte[]> valid) {
    this(reader, call, use, refusals, valid, 0);
  }

  /** Reads. */
  @FunctionalInterface
  interface Call {
    /** What was read; null counts as read. */
    Object read(byte[] input) throws Throwable;
  }

  /** Takes what was read. */
  @FunctionalInterface
  interface Use {
    /** For what is only read. */
    Use NONE = read -> {};

    /** For what is shown, at most. */
    Use SHOWN = read -> Objects.requireNonNull(read.toString());

    /** What the program does with it. */
    void use(Object read) throws Throwable;
  }

  /** Messages to begin with. */
  List<byte[]> seeds(Values values, int count) {
    return Stream.generate(() -> valid.apply(values)).limit(count).toList();
  }

  /** Whether a failure is one that callers are told of. */
  boolean isRefusal(Throwable failure) {
    return refusals.stream().anyMatch(r -> r.isInstance(failure)) && !isAccident(failure);
  }

  /** A refusal that wraps a programming error is no check. */
  private static boolean isAccident(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof NullPointerException
          || t instanceof IndexOutOfBoundsException
          || t instanceof ClassCastException
          || t instanceof NegativeArraySizeException
          || t instanceof ArithmeticException
          || t instanceof IllegalStateException
          || t instanceof UnsupportedOperationException
          || t instanceof Error) {
        return true;
      }
    }
    return false;
  }
}
