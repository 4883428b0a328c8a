package io.spyhop.bench.mdrq;

/**
 * One query of the demonstration.
 *
 * @param name as in the paper
 * @param rows how many rows it found
 * @param plainMs median milliseconds by plain filtered scan
 * @param spyhopMs median milliseconds through Spyhop
 * @param ratio plainMs / spyhopMs
 * @param driving the index that gave the candidates, or {@code scan}
 * @param recordsRead index records read
 * @param equal whether both answers are the same to the last cell
 */
public record QueryReport(
    String name,
    int rows,
    double plainMs,
    double spyhopMs,
    double ratio,
    String driving,
    long recordsRead,
    boolean equal) {}
