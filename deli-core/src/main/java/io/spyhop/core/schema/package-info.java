/**
 * The declarations of a table: columns, their types and indexes, stored in the table's descriptor.
 * Start with {@link io.spyhop.core.schema.IndexSchema}.
 */
package io.spyhop.core.schema;
