package io.spyhop.server.testing;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * The local disk under a scheme of its own, on which index files cannot be opened while the process
 * has too many open files, as it says. One for all servers of the process.
 */
public final class FaultyFileSystem extends RawLocalFileSystem {
  private static final String SCHEME = "faulty";
  private static final AtomicLong FAILED = new AtomicLong();
  private static volatile String suffix;

  /** Has a cluster keep its index files there. */
  public static void use(Configuration conf, java.nio.file.Path root) {
    conf.setClass("fs." + SCHEME + ".impl", FaultyFileSystem.class, RawLocalFileSystem.class);
    conf.set("spyhop.ifile.dir", SCHEME + "://" + root);
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
  public URI getUri() {
    return URI.create(SCHEME + ":///");
  }

  @Override
  public String getScheme() {
    return SCHEME;
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
