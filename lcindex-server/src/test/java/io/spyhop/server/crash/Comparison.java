package io.spyhop.server.crash;

import io.spyhop.core.protocol.Attributes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares answers through the indexes with the plain scan, again and again, while the writer
 * pauses. Before and after each answer the plain scan is asked: if both agree, the answer in
 * between must too. A server may be killed at any moment in between.
 */
final class Comparison implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Comparison.class);

  private final CrashTable table;
  private final Writer writer;
  private final Random random;
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong conclusive = new AtomicLong();
  private final AtomicLong cells = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile boolean stopping;

  Comparison(CrashTable table, Writer writer, long seed) {
    this.table = table;
    this.writer = writer;
    this.random = new Random(seed);
  }

  @Override
  public void run() {
    while (!stopping) {
      writer.pause();
      try {
        compare();
      } catch (IOException e) {
        failures.incrementAndGet();
        LOG.info("A comparison ends without a result", e);
      } finally {
        writer.resume();
      }
    }
  }

  private void compare() throws IOException {
    begun.incrementAndGet();
    String where = where();
    List<String> before = table.cells(where, Attributes.PATH_SCAN);
    List<String> paths = new ArrayList<>(CrashTable.INDEXES);
    paths.add(Attributes.PATH_AUTO);
    List<List<String>> answers = new ArrayList<>();
    for (String path : paths) {
      answers.add(table.cells(where, path));
    }
    if (!before.equals(table.cells(where, Attributes.PATH_SCAN))) {
      return;
    }
    for (int i = 0; i < paths.size(); i++) {
      if (!answers.get(i).equals(before)) {
        throw new AssertionError(
            where + " along " + paths.get(i) + ": " + difference(before, answers.get(i)));
      }
      conclusive.incrementAndGet();
      cells.addAndGet(before.size());
    }
  }

  private static String difference(List<String> plain, List<String> answer) {
    List<String> missing = new ArrayList<>(plain);
    missing.removeAll(answer);
    List<String> added = new ArrayList<>(answer);
    added.removeAll(plain);
    return missing.size()
        + " cells are missing, "
        + added.size()
        + " too many (or the order differs); missing "
        + missing.subList(0, Math.min(5, missing.size()))
        + ", too many "
        + added.subList(0, Math.min(5, added.size()));
  }

  private String where() {
    int price = random.nextInt(240);
    int amount = random.nextInt(480);
    String name = "n" + random.nextInt(40);
    List<String> all =
        List.of(
            "price BETWEEN " + price + " AND " + (price + 12),
            "amount >= " + amount + " AND amount < " + (amount + 20),
            "name = '" + name + "'",
            "price < 60 AND name = '" + name + "' AND amount > 100",
            "name = '" + name + "' OR price = " + price,
            "price >= " + price + " AND name IS NULL");
    return all.get(random.nextInt(all.size()));
  }

  /** Comparisons that began, finished or not. */
  long begun() {
    return begun.get();
  }

  /** Answers through an index that were proven equal to the plain scan. */
  long conclusive() {
    return conclusive.get();
  }

  /** Cells in these answers. */
  long cells() {
    return cells.get();
  }

  /** Comparisons that the client gave up. */
  long failures() {
    return failures.get();
  }

  void stop() {
    stopping = true;
  }
}
