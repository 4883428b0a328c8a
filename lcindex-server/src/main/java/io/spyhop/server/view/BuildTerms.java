package io.spyhop.server.view;

/**
 * The parameters of a view's build.
 *
 * @param interval keys of a segment
 * @param maxSize bytes that the view may take
 * @param checkpoint called now and then; ends the work by throwing something unchecked
 */
public record BuildTerms(int interval, long maxSize, Runnable checkpoint) {}
