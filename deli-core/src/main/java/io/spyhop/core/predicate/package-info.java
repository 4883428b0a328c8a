/**
 * Predicates: builds them, binds them to types, evaluates them on rows and on statistics, and
 * carries them to the servers.
 *
 * <p>Read {@link io.spyhop.core.predicate.Predicate} (what a user builds), {@link
 * io.spyhop.core.predicate.Binder} (types and NOT), {@link io.spyhop.core.predicate.BoundPredicate}
 * and {@link io.spyhop.core.predicate.RowJudge} (the one evaluation that filter and index share),
 * {@link io.spyhop.core.predicate.PredicateFilter} (the HBase filter), in this order.
 */
package io.spyhop.core.predicate;
