package io.spyhop.server.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** One step of a history; a step draws what it does from a seed of its own. */
record Operation(Kind kind, long seed) {
  private static final int ROWS = 40;

  enum Kind {
    PUT_ROW,
    PUT_PART,
    PUT_OLD,
    PUT_BATCH,
    DELETE_ROW,
    DELETE_FAMILY,
    DELETE_COLUMN,
    DELETE_VERSION,
    FLUSH,
    COMPACT,
    MAJOR_COMPACT,
    AWAIT_INDEX;

    static Kind draw(Random r) {
      int n = r.nextInt(100);
      if (n < 18) {
        return PUT_ROW;
      }
      if (n < 34) {
        return PUT_PART;
      }
      if (n < 40) {
        return PUT_OLD;
      }
      if (n < 50) {
        return PUT_BATCH;
      }
      if (n < 56) {
        return DELETE_ROW;
      }
      if (n < 60) {
        return DELETE_FAMILY;
      }
      if (n < 66) {
        return DELETE_COLUMN;
      }
      if (n < 70) {
        return DELETE_VERSION;
      }
      if (n < 84) {
        return FLUSH;
      }
      if (n < 88) {
        return COMPACT;
      }
      return n < 90 ? MAJOR_COMPACT : AWAIT_INDEX;
    }
  }

  static byte[] row(Random r) {
    int n = r.nextInt(ROWS);
    return n == 0 ? new byte[] {(byte) 0xff, 0} : Bytes.toBytes("r" + n);
  }

  static Put put(Random r, boolean whole) {
    Put put = new Put(row(r));
    boolean own = r.nextInt(4) == 0;
    for (Column c : Column.values()) {
      if (whole || r.nextInt(3) == 0) {
        byte[] value = c.stored(r);
        if (own) {
          put.addColumn(c.family(), c.qualifier(), 1_000_000L + r.nextInt(5), value);
        } else {
          put.addColumn(c.family(), c.qualifier(), value);
        }
      }
    }
    if (put.isEmpty()) {
      put.addColumn(Column.A.family(), Bytes.toBytes("other"), Bytes.toBytes(r.nextInt()));
    }
    return put;
  }

  static Put old(Random r) {
    Put put = new Put(row(r));
    for (Column c : Column.values()) {
      if (r.nextBoolean()) {
        put.addColumn(c.family(), c.qualifier(), 1_000_000L + r.nextInt(5), c.stored(r));
      }
    }
    return put.isEmpty() ? put(r, true) : put;
  }

  static List<Put> batch(Random r) {
    List<Put> puts = new ArrayList<>();
    for (int n = 2 + r.nextInt(15); n > 0; n--) {
      puts.add(put(r, r.nextInt(4) > 0));
    }
    return puts;
  }

  Delete delete(Random r) {
    Delete delete = new Delete(row(r));
    Column c = Column.values()[r.nextInt(Column.values().length)];
    switch (kind) {
      case DELETE_FAMILY -> {
        if (r.nextBoolean()) {
          delete.addFamily(c.family());
        } else {
          delete.addFamily(c.family(), 1_000_000L + r.nextInt(5));
        }
      }
      case DELETE_COLUMN -> delete.addColumns(c.family(), c.qualifier());
      case DELETE_VERSION -> {
        if (r.nextBoolean()) {
          delete.addColumn(c.family(), c.qualifier());
        } else {
          delete.addColumn(c.family(), c.qualifier(), 1_000_000L + r.nextInt(5));
        }
      }
      default -> {
        // a delete of the row needs no more
      }
    }
    return delete;
  }
}
