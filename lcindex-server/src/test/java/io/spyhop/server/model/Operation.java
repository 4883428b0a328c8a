package io.spyhop.server.model;

import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.bucket.BucketOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** One step of a history; a step draws what it does from a seed of its own. */
record Operation(Kind kind, long seed) {
  private static final int FEW_ROWS = 40;

  /** Row keys that there are; with more of them a batch has a third. */
  private static final int ROWS = Integer.getInteger("spyhop.rows", FEW_ROWS);

  /** Whether most row keys of a table with buckets are in a quarter of it. */
  private static final boolean UNEVEN = Boolean.getBoolean("spyhop.uneven");

  /** Regions of a new table. */
  static final int REGIONS = Integer.getInteger("spyhop.regions", 2);

  /** Of however many bits: the first ones are the same. */
  private static final BucketKeys KEYS = BucketOptions.usual().keys();

  /** Bytes of a value that some rows have; 0 for none. */
  private static final int WIDTH = Integer.getInteger("spyhop.wide", 0);

  /** The kind of a step, with how often it is drawn. */
  enum Kind {
    PUT_ROW(18),
    PUT_PART(16),
    PUT_OLD(6),
    PUT_BATCH(10),
    PUT_EXPIRING(2),
    EXPIRE_AMID(2),
    INCREMENT(3),
    APPEND(3),
    CHECK_AND_MUTATE(3),
    MUTATE_ROW(3),
    DELETE_ROW(6),
    DELETE_FAMILY(4),
    DELETE_COLUMN(6),
    DELETE_VERSION(4),
    FLUSH(14),
    COMPACT(4),
    MAJOR_COMPACT(2),
    BULK_LOAD(3),
    SPLIT(2),
    MERGE(2),
    MOVE(Integer.getInteger("spyhop.moves", 2)),
    KILL_SERVER(1),
    WITHOUT_SPYHOP(1),
    ALTER(1),
    GRANT(3),
    CREATE_INDEX(1),
    DROP_INDEX(1),
    CREATE_STATISTICS(1),
    DROP_STATISTICS(1),
    AWAIT_INDEX(10),
    TRUNCATE(1),
    RECREATE(1),
    REFUSED_DDL(3),
    PUT_FROM_CLIENT(6),
    CREATE_GLOBAL(1),
    DROP_GLOBAL(1),
    REBUILD_GLOBAL(1),
    FLUSH_GLOBAL(4),
    COMPACT_GLOBAL(2),
    MAJOR_COMPACT_GLOBAL(1),
    SPLIT_GLOBAL(1),
    MERGE_GLOBAL(1),
    MOVE_GLOBAL(1),
    REPAIR(8),
    PUT_FAILING(4),
    PUT_UNLOGGED(5),
    KILL_UNLOGGED(1),
    BULK_LOAD_REPAIRED(2),
    TRUNCATE_REGION(1),
    PUT_BACK_GLOBAL(1),
    ALTER_ENGINE(2),
    HOLD_SCAN(16),
    DROP_BESIDE(2),
    LATE_WRITER(1);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    /** Whether all regions stay where they are: cells are written, or move between files. */
    boolean leavesRegions() {
      return compareTo(MAJOR_COMPACT) <= 0;
    }

    static Kind draw(Random r) {
      int n = r.nextInt(Arrays.stream(values()).mapToInt(k -> k.weight).sum());
      for (Kind k : values()) {
        n -= k.weight;
        if (n < 0) {
          return k;
        }
      }
      throw new IllegalStateException();
    }
  }

  /** Where a table without buckets is split when it is made. */
  static byte[][] splits() {
    TreeSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 1; i < REGIONS; i++) {
      rows.add(Bytes.toBytes("r" + (5 + i * ROWS / REGIONS)));
    }
    return rows.toArray(new byte[0][]);
  }

  static byte[] row(Random r) {
    int n = r.nextInt(ROWS);
    if (n == 0) {
      return new byte[] {(byte) 0xff, 0};
    }
    return UNEVEN && n % 8 > 0 ? inFirstQuarter("r" + n) : Bytes.toBytes("r" + n);
  }

  private static byte[] inFirstQuarter(String start) {
    for (char c = 'a'; ; c++) {
      byte[] key = Bytes.toBytes(start + c);
      if ((KEYS.stored(key)[0] & 0xC0) == 0) {
        return key;
      }
    }
  }

  static Put put(Random r, boolean whole) {
    return put(row(r), r, whole);
  }

  static Put put(byte[] row, Random r, boolean whole) {
    Put put = new Put(row);
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
    if (WIDTH > 0 && r.nextInt(3) == 0) {
      byte[] value = new byte[WIDTH];
      Arrays.fill(value, (byte) r.nextInt());
      put.addColumn(Column.A.family(), Bytes.toBytes("wide"), value);
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

  /** The same put, of which the server says when it was. */
  static Put undated(Put put) {
    Put now = new Put(put.getRow());
    put.getFamilyCellMap()
        .forEach(
            (family, cells) ->
                cells.forEach(
                    c ->
                        now.addColumn(family, CellUtil.cloneQualifier(c), CellUtil.cloneValue(c))));
    return now;
  }

  static List<Put> batch(Random r) {
    List<Put> puts = new ArrayList<>();
    int many = ROWS > FEW_ROWS ? ROWS / 3 : 2;
    for (int n = many + r.nextInt(15); n > 0; n--) {
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
