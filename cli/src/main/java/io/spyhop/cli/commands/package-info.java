/**
 * One class a command, {@link io.spyhop.cli.commands.SpyhopCommand} the root of them. A command
 * reads its options, calls the client library or {@link io.spyhop.bench.mdrq}, and prints; it
 * throws what fails, and {@link io.spyhop.cli.commands.Failures} makes one line and an exit code of
 * it.
 */
package io.spyhop.cli.commands;
