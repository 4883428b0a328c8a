/**
 * The path of a query: {@link io.spyhop.client.internal.query.PathChooser} lists the paths of a
 * bound query in the order in which they are tried, {@link
 * io.spyhop.client.internal.query.PathRows} opens the first that serves it, and each {@link
 * io.spyhop.client.internal.query.QueryPath} opens rows with what the packages beside this one
 * offer. A new path is one more class there, and one more line in the list.
 *
 * <p>Not part of the public interface; use {@link io.spyhop.client}.
 */
package io.spyhop.client.internal.query;
