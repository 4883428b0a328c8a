/**
 * Behaviour as text: each file of {@code src/test/resources/cases} is a table's history with the
 * questions that are asked of it, and below each {@code ----} what must come out. Read {@link
 * io.spyhop.server.cases.CaseTable} for the commands.
 */
package io.spyhop.server.cases;
