/**
 * The six TPC-DS tables of the partition pruning paper (Huang et al., <i>Partition pruning for
 * range query on distributed log-structured merge-tree</i>, Table 3) in HBase: {@link
 * io.spyhop.bench.tpcds.TpcdsTable} says how a row is stored, {@link
 * io.spyhop.bench.tpcds.TpcdsRows} generates rows.
 */
package io.spyhop.bench.tpcds;
