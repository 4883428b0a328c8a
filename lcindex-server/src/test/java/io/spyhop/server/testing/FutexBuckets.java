package io.spyhop.server.testing;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Linux since 6.16 keeps what the threads of a process wait for in a hash table of its own, which
 * has few buckets where there are few CPUs: a JVM with mini clusters has thousands of threads that
 * wait, and each that is woken is searched for among them. Stateless.
 */
final class FutexBuckets {
  private static final Logger LOG = LoggerFactory.getLogger(FutexBuckets.class);
  private static final int PR_FUTEX_HASH = 78;
  private static final long SET_SLOTS = 1;
  private static final long MANY = 4096;

  /** The C library's. */
  private interface C extends Library {
    int prctl(int option, long operation, long value, long flags, long none);
  }

  private FutexBuckets() {}

  /**
   * Has this JVM's table enlarged; other systems refuse, and need not. Without it all is slower.
   */
  static void enlarge() {
    try {
      if (Platform.isLinux()) {
        Native.load("c", C.class).prctl(PR_FUTEX_HASH, SET_SLOTS, MANY, 0, 0);
      }
    } catch (LinkageError e) {
      LOG.warn("JNA's library cannot be loaded here", e);
    }
  }
}
