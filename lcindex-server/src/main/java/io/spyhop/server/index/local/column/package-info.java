/**
 * The columnar layout of a local index, in blocks of up to 4,096 rows that follow each other in an
 * HFile: {@link io.spyhop.server.index.local.column.ColumnBlock} has a column's values as bit
 * slices (Li, Patel: BitWeaving, SIGMOD 2013), {@link
 * io.spyhop.server.index.local.column.RowDirectory} says where each row begins. Pure logic: bytes
 * in, bits out.
 */
package io.spyhop.server.index.local.column;
