/**
 * Answers queries over Arrow Flight: rows that a client of Spyhop receives, as columns in Arrow's
 * format.
 *
 * <p>Read first: {@code Gateway} starts the server, {@code SpyhopProducer} has what it answers,
 * {@code QueryStream} is one query on its way. {@code QueryRequest} reads what clients send
 * (docs/formats/gateway.md), {@code Answer} binds it to a table. Decision 0079 has the reasons.
 */
package io.spyhop.gateway;
