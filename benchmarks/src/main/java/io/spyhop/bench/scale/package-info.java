/**
 * What a server costs that has many regions, and nothing to do: its processor time, memory, threads
 * and open files, what it asks of the NameNode and of hbase:meta, what it logs, and how long it
 * takes to start again.
 */
package io.spyhop.bench.scale;
