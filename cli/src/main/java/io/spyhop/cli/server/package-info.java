/**
 * A real HBase with Spyhop installed, inside this JVM. Commands use {@link
 * io.spyhop.cli.server.LocalHBase}; {@link io.spyhop.cli.server.EmbeddedHBase} starts and stops the
 * servers in a {@link io.spyhop.cli.server.DataDirectory}; {@link
 * io.spyhop.cli.server.ServerConfiguration} says what is set, and why.
 */
package io.spyhop.cli.server;
