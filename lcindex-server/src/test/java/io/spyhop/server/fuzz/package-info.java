/**
 * Damages or makes up on purpose what is read from disk and network: every decoder is given
 * messages that were valid once ({@link io.spyhop.server.fuzz.Fuzzer}). {@link
 * io.spyhop.server.fuzz.Decoders} lists them all, and {@link io.spyhop.server.fuzz.DecodersTest}
 * fails when one is missing.
 */
package io.spyhop.server.fuzz;
