/**
 * The local index of the LCIndex paper (sections III.C.1 and III.C.2): per HFile and indexed column
 * an IFile (the rows again, sorted by that column's value) and an SFile (statistics).
 *
 * <p>Writing: {@link io.spyhop.server.index.local.IndexBuilder} reads an HFile, packs rows, sorts,
 * and commits through {@link io.spyhop.server.index.local.IndexDirectory}. Reading: {@link
 * io.spyhop.server.index.local.IndexFile} gives {@link io.spyhop.server.index.local.RecordCursor}s.
 * A further layout is a further implementation of the latter. That in the order of rows is {@link
 * io.spyhop.server.index.local.ColumnFileBuilder}'s and {@link
 * io.spyhop.server.index.local.ColumnCursor}'s; its indexes of a family share the HFile's file of
 * rows, a pair like that of an index ({@link io.spyhop.core.schema.RowsDefinition}).
 */
package io.spyhop.server.index.local;
