/**
 * The YCSB binding: a {@code site.ycsb.DB} over the Spyhop client, so that YCSB workloads can run
 * against an indexed table. The binding itself is not written yet.
 */
package io.spyhop.ycsb;
