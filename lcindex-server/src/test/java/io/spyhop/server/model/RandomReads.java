package io.spyhop.server.model;

import io.spyhop.core.protocol.Attributes;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.security.visibility.Authorizations;

/** Draws the settings of scans that queries take over. */
final class RandomReads {
  /** Clients that give cells timestamps give some from here on. */
  private static final long TIME = 1_000_000;

  private RandomReads() {}

  /** Which way a query is to take. */
  static String hint(Random r) {
    String[] hints = {Attributes.PATH_AUTO, Attributes.PATH_INDEX, Attributes.PATH_SCAN};
    return hints[r.nextInt(hints.length)];
  }

  /** Mostly those of a new scan. */
  static Scan draw(Random r) {
    Scan like = new Scan();
    if (r.nextInt(3) > 0) {
      return like;
    }
    if (r.nextInt(3) == 0) {
      times(r, like);
    }
    if (r.nextInt(3) == 0) {
      like.readVersions(1 + r.nextInt(4));
    }
    if (r.nextInt(4) == 0) {
      like.setAuthorizations(new Authorizations("public"));
    }
    if (r.nextInt(8) == 0) {
      like.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
    }
    return like.setCacheBlocks(r.nextBoolean()).setPriority(r.nextInt(3) * 100);
  }

  private static void times(Random r, Scan like) {
    long from = r.nextBoolean() ? 0 : TIME + r.nextInt(5);
    long to = r.nextBoolean() ? TIME + 5 + r.nextInt(3) : Long.MAX_VALUE;
    try {
      if (r.nextBoolean()) {
        like.setTimeRange(from, to);
      } else {
        like.setColumnFamilyTimeRange(Column.values()[0].family(), from, to);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
