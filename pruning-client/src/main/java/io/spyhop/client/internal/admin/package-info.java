/**
 * Questions of the client to the cluster that are not for rows: descriptors and region boundaries
 * ({@link io.spyhop.client.internal.admin.TableInfo}), questions to regions ({@link
 * io.spyhop.client.internal.admin.RegionCalls}), whether Spyhop is installed ({@link
 * io.spyhop.client.internal.admin.InstallationCheck}) and how far indexes are ({@link
 * io.spyhop.client.internal.admin.StatusSummary}).
 *
 * <p>Not part of the public interface; use {@link io.spyhop.client}.
 */
package io.spyhop.client.internal.admin;
