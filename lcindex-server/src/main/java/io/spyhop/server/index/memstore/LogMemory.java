package io.spyhop.server.index.memstore;

import io.spyhop.server.memory.MemoryBudget;

/**
 * The memory of all write logs of a server. Thread-safe.
 *
 * @param budget the bytes that they may take together
 * @param refused told of each log that is dropped for want of room
 */
public record LogMemory(MemoryBudget budget, Runnable refused) {}
