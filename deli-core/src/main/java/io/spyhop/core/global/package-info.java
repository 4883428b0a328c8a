/**
 * What client and servers share of global indexes: the index table's name and rows, and the
 * messages of its regions (DELI, sections III and IV; docs/formats/index-table.md).
 */
package io.spyhop.core.global;
