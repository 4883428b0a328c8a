/**
 * Asks global indexes: their regions ({@link io.spyhop.client.internal.global.IndexCalls}), entries
 * page by page ({@link io.spyhop.client.internal.global.EntryWalk}), the rows that may match a
 * query ({@link io.spyhop.client.internal.global.GlobalSearch}), and these rows, read from the base
 * table ({@link io.spyhop.client.internal.global.Candidates}).
 *
 * <p>Not part of the public interface; use {@link io.spyhop.client}.
 */
package io.spyhop.client.internal.global;
