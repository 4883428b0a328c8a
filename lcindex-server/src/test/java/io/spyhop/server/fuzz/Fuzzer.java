package io.spyhop.server.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Gives decoders messages that were valid once. Each is either read, or refused as the decoder
 * documents it; what reading allocates is at most {@link #PER_BYTE} times the message and {@link
 * #BASE}. Not thread-safe.
 */
final class Fuzzer {
  /** Bytes allocated for each byte of a message, at most. */
  static final long PER_BYTE = 64;

  /** Bytes allocated beside these, at most. */
  static final long BASE = 1 << 20;

  private static final int SEEDS = 24;
  private static final int FORGET_EVERY = 1 << 14;
  private static final int MAX_SHOWN = 400;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final long thread = Thread.currentThread().getId();
  private final List<Decoder> decoders;
  private final List<List<byte[]>> seeds = new ArrayList<>();
  private final List<byte[]> all = new ArrayList<>();
  private final SplittableRandom random;
  private final Mutator mutator;
  private final Map<String, String> findings = new LinkedHashMap<>();
  private final Tally[] tallies;

  /** The outcome of a decoder. */
  static final class Tally {
    long inputs;
    long read;
    long bytes;
    long allocated;
    double worst;

    @Override
    public String toString() {
      return inputs
          + " inputs, "
          + read
          + " read, "
          + bytes / Math.max(1, inputs)
          + " bytes and "
          + allocated / Math.max(1, inputs)
          + " allocated on average, at worst "
          + Math.round(100 * worst)
          + " % of what is allowed";
    }
  }

  Fuzzer(List<Decoder> decoders, long seed) {
    this.decoders = decoders;
    this.random = new SplittableRandom(seed);
    this.tallies = new Tally[decoders.size()];
    Values values = new Values(random.split());
    for (int i = 0; i < decoders.size(); i++) {
      tallies[i] = new Tally();
      seeds.add(decoders.get(i).seeds(values, SEEDS));
      all.addAll(seeds.get(i));
    }
    this.mutator = new Mutator(random, all);
  }

  /** What every decoder must read: its own valid messages. */
  void readSeeds() {
    for (int i = 0; i < decoders.size(); i++) {
      for (byte[] seed : seeds.get(i)) {
        long before = tallies[i].read;
        give(i, seed);
        if (tallies[i].read == before) {
          findings.putIfAbsent(decoders.get(i).reader() + " refuses what is valid", show(seed));
        }
      }
    }
  }

  /** Gives that many messages, in turn to each decoder. */
  void run(long inputs) {
    for (long n = 0; n < inputs; n++) {
      int i = (int) (n % decoders.size());
      List<byte[]> valid = seeds.get(i);
      byte[] seed =
          random.nextInt(50) == 0
              ? all.get(random.nextInt(all.size()))
              : valid.get(random.nextInt(valid.size()));
      give(i, mutator.mutate(seed));
      if (n % FORGET_EVERY == 0) {
        TableNames.forget();
      }
    }
  }

  private static long allowed(Decoder decoder, byte[] input) {
    return PER_BYTE * input.length + BASE + decoder.foreign();
  }

  private record Outcome(Object read, Throwable failure, long allocated) {}

  private Outcome read(Decoder decoder, byte[] input) {
    Object read = null;
    Throwable failure = null;
    long before = threads.getThreadAllocatedBytes(thread);
    try {
      read = decoder.call().read(input);
    } catch (Throwable e) {
      failure = e;
    }
    return new Outcome(read, failure, threads.getThreadAllocatedBytes(thread) - before);
  }

  private void give(int i, byte[] input) {
    Decoder decoder = decoders.get(i);
    Tally tally = tallies[i];
    Outcome outcome = read(decoder, input);
    if (outcome.allocated > allowed(decoder, input)) {
      outcome = read(decoder, input); // the first use loads classes
    }
    long allocated = outcome.allocated;
    Throwable failure = outcome.failure;
    tally.inputs++;
    tally.bytes += input.length;
    tally.allocated += allocated;
    double share = (double) allocated / allowed(decoder, input);
    tally.worst = Math.max(tally.worst, share);
    if (share > 1) {
      found(decoder, "allocates " + allocated + " for " + input.length + " bytes", null, input);
    }
    if (failure != null) {
      if (!decoder.isRefusal(failure)) {
        found(decoder, "throws", failure, input);
      }
      return;
    }
    tally.read++;
    try {
      decoder.use().use(outcome.read);
    } catch (Throwable e) {
      found(decoder, "reads what cannot be used:", e, input);
    }
  }

  /** One of each kind is enough. */
  private void found(Decoder decoder, String what, Throwable failure, byte[] input) {
    String kind = decoder.reader() + " " + (failure == null ? "allocates" : what + root(failure));
    if (!findings.containsKey(kind)) {
      findings.put(kind, what + (failure == null ? "" : " " + failure) + ", for " + show(input));
    }
  }

  /** Which failure it is at the bottom, and where. */
  private static String root(Throwable failure) {
    Throwable t = failure;
    while (t.getCause() != null) {
      t = t.getCause();
    }
    StackTraceElement[] trace = t.getStackTrace();
    return " " + t.getClass().getSimpleName() + (trace.length == 0 ? "" : " in " + trace[0]);
  }

  private static String show(byte[] input) {
    String hex = HexFormat.of().formatHex(input, 0, Math.min(input.length, MAX_SHOWN));
    return input.length + " bytes " + hex + (input.length > MAX_SHOWN ? "..." : "");
  }

  /** What went wrong, one of each kind, with the message. */
  List<String> findings() {
    return findings.entrySet().stream().map(f -> f.getKey() + ": " + f.getValue()).toList();
  }

  /** What each decoder did. */
  Map<String, Tally> tallies() {
    Map<String, Tally> named = new LinkedHashMap<>();
    for (int i = 0; i < tallies.length; i++) {
      named.put(decoders.get(i).reader(), tallies[i]);
    }
    return named;
  }
}
