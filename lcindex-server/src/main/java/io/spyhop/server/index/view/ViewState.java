package io.spyhop.server.index.view;

/**
 * How far a store's sorted view is.
 *
 * @param family the store's family
 * @param hfiles HFiles of the store
 * @param inView of these, how many the view is of; 0 without a view
 * @param keys cells in the view
 * @param bytes of memory that it takes
 * @param isPending whether a job makes a newer one
 * @param lastError what went wrong last, or empty
 */
public record ViewState(
    String family,
    int hfiles,
    int inView,
    long keys,
    long bytes,
    boolean isPending,
    String lastError) {}
