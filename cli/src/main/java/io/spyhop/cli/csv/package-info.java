/**
 * Text files of rows, for {@code spyhop import}: {@link io.spyhop.cli.csv.CsvSource} reads lines,
 * {@link io.spyhop.cli.csv.CsvHeader} says what their fields are, {@link
 * io.spyhop.cli.csv.TableImport} writes the rows.
 */
package io.spyhop.cli.csv;
