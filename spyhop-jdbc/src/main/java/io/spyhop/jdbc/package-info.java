/**
 * SQL over tables of HBase: {@link io.spyhop.jdbc.SpyhopDriver} connects, {@link
 * io.spyhop.jdbc.SpyhopTable} is a table with its declared columns. Calcite parses, validates and
 * plans; {@link io.spyhop.jdbc.PushRules} move what regions and indexes can do into one {@link
 * io.spyhop.jdbc.PushedQuery}, which asks the client's {@link io.spyhop.client.IndexedTable}, and
 * Calcite does the rest in the client's JVM.
 */
package io.spyhop.jdbc;
