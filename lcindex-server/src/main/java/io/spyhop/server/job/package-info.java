/**
 * The mechanism of background work on a region server: {@link io.spyhop.server.job.Job}s of some
 * {@link io.spyhop.server.job.JobKind}, a bounded {@link io.spyhop.server.job.JobScheduler} that
 * runs them on few threads, when to try again what failed ({@link io.spyhop.server.job.Backoff})
 * and how fast to read ({@link io.spyhop.server.job.Pacer}). It knows no kind of index.
 */
package io.spyhop.server.job;
