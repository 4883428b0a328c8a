/**
 * Sorted views over the HFiles of a table's stores: how HBase's scans come to read one.
 *
 * <ol>
 *   <li>{@code hbase.hregion.impl} names {@link io.spyhop.server.view.store.ViewRegion}, which
 *       gives a family with the option {@link io.spyhop.core.schema.ViewOption} a {@link
 *       io.spyhop.server.view.store.ViewStore}.
 *   <li>For an ordinary forward scan that store has HBase make a {@link
 *       io.spyhop.server.view.store.ViewStoreScanner}. When it asks for the scanners of all HFiles
 *       and memstores, one {@link io.spyhop.server.view.store.ViewScanner} stands for the HFiles
 *       that are in the view ({@link io.spyhop.server.view.store.ViewedFiles}). It holds references
 *       to them, and leaves out those that HBase would leave out.
 *   <li>Reversed scans read no view. Those of every store but one with MOBs are HBase's with faults
 *       mended: {@link io.spyhop.server.view.store.BackwardStore}.
 *   <li>A {@link io.spyhop.server.view.store.HFileRun} walks one HFile's cells by position.
 * </ol>
 *
 * <p>Nothing here depends on the view being up to date: it tells the order of cells in immutable
 * files by their names. HFiles that it does not know are read beside it, HFiles that it knows and
 * the scan does not read are left out.
 */
package io.spyhop.server.view.store;
