/**
 * The background work of a region server, and what all kinds of indexes have in common there. It
 * knows none of them. Start with {@link io.spyhop.server.runtime.ServerRuntime}: its ticker has
 * each {@link io.spyhop.server.runtime.Upkeep} compared with what it is made of, and the difference
 * becomes {@link io.spyhop.server.runtime.Job}s of some {@link io.spyhop.server.runtime.JobKind},
 * which a bounded {@link io.spyhop.server.runtime.JobScheduler} runs on few threads ({@link
 * io.spyhop.server.runtime.Backoff} says when to try again what failed, {@link
 * io.spyhop.server.runtime.Pacer} how fast to read). {@link io.spyhop.server.runtime.TableSchemas}
 * reads the tables' definitions and tells each open region ({@link
 * io.spyhop.server.runtime.RegionSchema}).
 */
package io.spyhop.server.runtime;
