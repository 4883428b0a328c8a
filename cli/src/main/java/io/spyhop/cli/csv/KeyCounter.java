package io.spyhop.cli.csv;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;

/**
 * Counts distinct keys by hashes of 64 bits, in a bounded memory: among a hundred million keys two
 * have the same hash in one file of four thousand. Not thread-safe.
 */
final class KeyCounter {
  /** Bytes of hashes beyond which no more keys are told from each other. */
  private static final long MAX_BYTES = Runtime.getRuntime().maxMemory() / 16;

  private static final HashFunction HASH = Hashing.murmur3_128();

  private final long maxBytes;

  /** At most three in four are taken; 0 is a free one. Their number is a power of two. */
  private long[] hashes = new long[1024];

  private int distinct;
  private boolean exact = true;

  KeyCounter() {
    this(MAX_BYTES);
  }

  KeyCounter(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Whether the key was added before; false for those that there is no room for. */
  boolean wasThere(byte[] key) {
    long hash = HASH.hashBytes(key).asLong();
    long taken = hash == 0 ? 1 : hash;
    int place = place(hashes, taken);
    if (hashes[place] != 0) {
      return true;
    }
    if (distinct < hashes.length / 4 * 3 || grow()) {
      hashes[place(hashes, taken)] = taken;
      distinct++;
    } else {
      exact = false;
    }
    return false;
  }

  /** Whether all keys had room, so that each that was there was known. */
  boolean isExact() {
    return exact;
  }

  private boolean grow() {
    if (hashes.length * 2L * Long.BYTES > maxBytes || hashes.length > 1 << 28) {
      return false;
    }
    long[] more = new long[hashes.length * 2];
    for (long hash : hashes) {
      if (hash != 0) {
        more[place(more, hash)] = hash;
      }
    }
    hashes = more;
    return true;
  }

  private static int place(long[] hashes, long hash) {
    int place = (int) (hash & (hashes.length - 1));
    while (hashes[place] != 0 && hashes[place] != hash) {
      place = (place + 1) & (hashes.length - 1);
    }
    return place;
  }
}
