/**
 * Translates a query for one table: from text to predicate ({@link
 * io.spyhop.client.internal.plan.WhereParser}), from predicate and schema to what is sent ({@link
 * io.spyhop.client.internal.plan.TableSchema}), what a scan selects and the caller gets ({@link
 * io.spyhop.client.internal.plan.Projection}), and how plans look as text.
 *
 * <p>Not part of the public interface; use {@link io.spyhop.client}.
 */
package io.spyhop.client.internal.plan;
