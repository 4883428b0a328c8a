package io.spyhop.core.schema;

/** The ways in which writes keep a {@link IndexKind#GLOBAL} index (DELI, section III.C). */
public enum Maintenance {
  /** A write adds its entry and reads nothing; what it makes obsolete is repaired later. */
  DEFERRED,
  /** A write reads the old value, adds its entry and has the old one deleted: update in place. */
  SYNC
}
