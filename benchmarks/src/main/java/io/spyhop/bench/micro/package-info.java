/** JMH benchmarks of single steps; run them with {@code java -cp ... org.openjdk.jmh.Main}. */
package io.spyhop.bench.micro;
