/**
 * Tracing of Spyhop's work in the spans of OpenTelemetry, through the API that HBase uses itself:
 * {@link io.spyhop.core.trace.Work}. {@code docs/operations.md} lists spans and attributes.
 */
package io.spyhop.core.trace;
