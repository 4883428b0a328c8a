/** Input of programs that read in bulk. */
package io.spyhop.mapreduce;
