/**
 * The common ground of client and servers for global indexes: the index table's name and rows
 * (DELI, sections III and IV; docs/formats/index-table.md).
 */
package io.spyhop.core.global;
