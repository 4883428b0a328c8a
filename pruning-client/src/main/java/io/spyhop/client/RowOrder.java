package io.spyhop.client;

/** In which order the rows of a bucketed table are wanted. */
public enum RowOrder {
  /** By their keys, as from any other table: rows of all buckets are sorted or merged. */
  KEY,

  /** As they come: nothing has to wait for anything. */
  ANY
}
