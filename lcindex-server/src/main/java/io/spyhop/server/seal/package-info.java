/**
 * Keeps files that are derived from an encrypted family as secret as the family: {@link
 * io.spyhop.server.seal.Sealed} is the envelope, {@link io.spyhop.server.seal.TableSeal} knows
 * which families of a table need one. {@link io.spyhop.server.seal.SideFiles} creates such files
 * where their region or table still is.
 */
package io.spyhop.server.seal;
