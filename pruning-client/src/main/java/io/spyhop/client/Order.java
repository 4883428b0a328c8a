package io.spyhop.client;

/** In which direction values are ordered; rows of equal values are in row-key order in both. */
public enum Order {
  /** The least value first. */
  ASC,
  /** The greatest value first. */
  DESC
}
