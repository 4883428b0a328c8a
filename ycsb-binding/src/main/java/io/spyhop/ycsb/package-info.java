/**
 * YCSB 0.17 on HBase with Spyhop: the database {@link io.spyhop.ycsb.SpyhopClient}, and workloads
 * that read by value, which YCSB's own interface cannot say.
 */
package io.spyhop.ycsb;
