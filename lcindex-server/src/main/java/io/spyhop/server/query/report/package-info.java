/** Keeps what queries did: counts, plans for {@code explainAnalyze}, and the slow ones. */
package io.spyhop.server.query.report;
