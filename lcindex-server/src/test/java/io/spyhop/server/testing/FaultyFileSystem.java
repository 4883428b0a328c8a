package io.spyhop.server.testing;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * HDFS, from which files with some names cannot be opened while the process has too many open
 * files, as it says. One for all servers of the process.
 */
public final class FaultyFileSystem extends DistributedFileSystem {
  private static final AtomicLong FAILED = new AtomicLong();
  private static volatile String suffix;

  /** Has a cluster use it. */
  public static void use(Configuration conf) {
    conf.set("fs.hdfs.impl", FaultyFileSystem.class.getName());
  }

  /** From now on files whose names end so cannot be opened; null for none. */
  public static void failOn(String end) {
    suffix = end;
  }

  /** How many files could not be opened until now. */
  public static long failed() {
    return FAILED.get();
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    String end = suffix;
    if (end != null && path.getName().endsWith(end)) {
      FAILED.incrementAndGet();
      throw new FileNotFoundException(path + " (Too many open files)");
    }
    return super.open(path, bufferSize);
  }
}
