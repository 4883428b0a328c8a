/**
 * {@code spyhop console}: a read-only page about a running cluster. {@link
 * io.spyhop.cli.console.ConsoleServer} answers browsers, {@link io.spyhop.cli.console.Watch} looks
 * at the cluster while a browser has the page open, and {@link io.spyhop.cli.console.Snapshot} is
 * what it saw; the page itself is one file, {@code console.html}. Why it is made so:
 * docs/decisions/0040.
 */
package io.spyhop.cli.console;
