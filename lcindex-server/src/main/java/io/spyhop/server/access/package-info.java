/**
 * Access to the indexes of a table: which callers may know of them and change them. Spyhop has no
 * rules of its own: whether a caller may is asked through HBase's hooks, whichever coprocessors
 * answer them, and where that cannot be told it is refused (docs/decisions/0028). {@link
 * io.spyhop.server.access.ColumnAccess} asks in regions of base tables, {@link
 * io.spyhop.server.access.IndexAccess} in those of index tables.
 */
package io.spyhop.server.access;
