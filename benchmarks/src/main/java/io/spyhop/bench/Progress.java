package io.spyhop.bench;

/** Is told how far a long piece of work is. Thread-safe. */
public interface Progress extends AutoCloseable {
  /** More units are done. */
  void step(long units);

  /** The work ended, well or not. */
  @Override
  void close();

  /** Begins to watch a piece of work. */
  @FunctionalInterface
  interface Factory {
    /**
     * @param task what is done, in two or three words
     * @param total how many units it will be
     */
    Progress start(String task, long total);
  }

  /** Watches nothing. */
  Factory NONE = (task, total) -> new Silent();

  /** Ignores everything. */
  final class Silent implements Progress {
    private Silent() {}

    @Override
    public void step(long units) {}

    @Override
    public void close() {}
  }
}
