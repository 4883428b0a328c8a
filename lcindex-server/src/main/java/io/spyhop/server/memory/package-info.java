/** Bounds of memory in bytes, for all kinds of index; docs/memory.md lists the buffers. */
package io.spyhop.server.memory;
