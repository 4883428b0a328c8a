/** The output of commands: tables and rows as text, JSON, CSV, progress bars. */
package io.spyhop.cli.output;
