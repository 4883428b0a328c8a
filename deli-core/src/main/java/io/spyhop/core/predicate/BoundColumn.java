package io.spyhop.core.predicate;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;

/**
 * A column and how its cells are read.
 *
 * @param name family and qualifier
 * @param type how stored bytes become a value
 */
public record BoundColumn(ColumnName name, ValueType type) {}
