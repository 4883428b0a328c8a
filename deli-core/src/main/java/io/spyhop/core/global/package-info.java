/**
 * What client and servers share of global indexes: the index table's name and rows (DELI, sections
 * III and IV; docs/formats/index-table.md).
 */
package io.spyhop.core.global;
