package io.spyhop.client;

import java.util.Objects;
import java.util.Optional;

/**
 * The size and the start of one page of an answer. Immutable.
 *
 * @param size how many cells, as long as they have few megabytes; the versions of one row and value
 *     stay together, so that a few more may come
 * @param from what {@link IndexPage#next} gave; empty for the beginning
 */
public record Paging(int size, Optional<byte[]> from) {
  /**
   * Checks the size.
   *
   * @throws InvalidQueryException if it is less than 1
   */
  public Paging {
    if (size < 1) {
      throw new InvalidQueryException("page size " + size + " is not 1 or more");
    }
  }

  /** The first part of an answer. */
  public static Paging first(int size) {
    return new Paging(size, Optional.empty());
  }

  /** The part that starts where a page ended. */
  public static Paging from(int size, byte[] position) {
    Objects.requireNonNull(position, "the position of a page is null");
    return new Paging(size, Optional.of(position.clone()));
  }
}
