package io.spyhop.server.view;

/**
 * How a view is made.
 *
 * @param interval keys of a segment
 * @param maxSize bytes that the view may take
 * @param checkpoint called now and then; ends the work by throwing something unchecked
 */
public record BuildTerms(int interval, long maxSize, Runnable checkpoint) {}
