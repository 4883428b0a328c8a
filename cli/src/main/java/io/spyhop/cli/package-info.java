/**
 * The {@code spyhop} command. {@link io.spyhop.cli.Main} starts it, {@link io.spyhop.cli.commands}
 * has one class a command, {@link io.spyhop.cli.server} an HBase inside this JVM, {@link
 * io.spyhop.cli.output} what is shown. Exit codes: 0 done, 1 failed or answers differ, 2 bad input.
 */
package io.spyhop.cli;
