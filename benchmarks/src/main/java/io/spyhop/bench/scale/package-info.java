/**
 * The cost of a server that has many regions, and nothing to do: its processor time, memory,
 * threads and open files, its questions to the NameNode and to hbase:meta, its lines in the log,
 * and the time it takes to start again.
 */
package io.spyhop.bench.scale;
