package io.spyhop.server.fuzz;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.RowJudge;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import io.spyhop.server.index.global.ControlRows;
import io.spyhop.server.index.local.CorruptIndexFileException;
import io.spyhop.server.index.local.PackedRow;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.ColumnBlockBuilder;
import io.spyhop.server.index.local.column.RowBits;
import io.spyhop.server.index.local.column.RowDirectory;
import io.spyhop.server.seal.Sealed;
import io.spyhop.server.seal.TableSeal;
import io.spyhop.server.view.Run;
import io.spyhop.server.view.SortedView;
import io.spyhop.server.view.ViewFormat;
import io.spyhop.server.view.store.FileRun;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;

/** Parts of files and cells that are no message of their own. */
final class StoredDecoders {
  private static final String SERVER = "io.spyhop.server.";
  private static final String COLUMN = SERVER + "index.local.column.";
  private static final String PACKED = SERVER + "index.local.PackedRow#";
  private static final String LIST = SERVER + "index.global.repair.RepairListReader";
  private static final Set<Class<? extends Throwable>> CORRUPT =
      Set.of(CorruptFrameException.class);
  private static final Set<Class<? extends Throwable>> DAMAGED =
      Set.of(CorruptIndexFileException.class);
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] FAMILY = {'f'};
  private static final int COLUMNS = 8;

  private static final TableSeal SEAL = new TableSeal(keys(), ColumnFamilyDescriptorBuilder::of);

  /** HBase makes two configurations of its defaults for each key that it unwraps. */
  private static final long CONFIGURATIONS = 3 << 20;

  private StoredDecoders() {}

  static List<Decoder> all() {
    List<Decoder> all = new ArrayList<>();
    all.add(ServerDecoders.hidden("index.global.repair.StagedNote#decode", StoredDecoders::note));
    all.add(
        new Decoder(
            SERVER + "index.local.directory.DirectoryMark#decode",
            Hidden.call(SERVER + "index.local.directory.DirectoryMark#decode"),
            Decoder.Use.NONE,
            CORRUPT,
            v -> Values.frame("SPDM", out -> out.writeUTF(v.hex(36)))));
    all.add(
        new Decoder(
            SERVER + "index.local.directory.AbsentRegions#decode",
            Hidden.call(SERVER + "index.local.directory.AbsentRegions#decode"),
            Decoder.Use.NONE,
            CORRUPT,
            v -> Values.frame("SPAB", out -> absent(out, v))));
    all.add(
        new Decoder(
            LIST + "#next",
            StoredDecoders::readList,
            Decoder.Use.NONE,
            CORRUPT,
            StoredDecoders::list));
    all.add(
        new Decoder(
            SERVER + "view.ViewFormat#decode",
            bytes -> ViewFormat.decode(bytes).orElse(null),
            read -> ViewFormat.encode((SortedView) read),
            CORRUPT,
            StoredDecoders::view));
    addControlRows(all);
    addRecords(all);
    addColumns(all);
    addSealed(all);
    return all;
  }

  private static void addColumns(List<Decoder> all) {
    all.add(
        new Decoder(
            COLUMN + "ColumnBlock#decode",
            bytes -> ColumnBlock.decode(bytes, 0, bytes.length, new ColumnBlock.Room()),
            read -> useColumn((ColumnBlock) read),
            CORRUPT,
            StoredDecoders::column));
    all.add(
        new Decoder(
            COLUMN + "RowDirectory#decode",
            bytes -> RowDirectory.decode(bytes, 0, bytes.length),
            read -> ((RowDirectory) read).position(((RowDirectory) read).rows() - 1),
            CORRUPT,
            StoredDecoders::directory));
    all.add(
        new Decoder(
            COLUMN + "RowDirectory#firstRow",
            bytes -> RowDirectory.firstRow(bytes, 0, bytes.length),
            Decoder.Use.NONE,
            CORRUPT,
            StoredDecoders::directory));
  }

  private static void useColumn(ColumnBlock block) {
    long[] found = RowBits.none(block.rows());
    block.addMatching(KeyRanges.ALL, found);
    ValueKey key = ValueKey.of(Bytes.toBytes(1L << 40), true);
    block.addMatching(KeyRanges.of(null, key), found);
    block.addMatching(KeyRanges.of(key, null), found);
    List<KeyRanges> many = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ValueKey one = ValueKey.of(Bytes.toBytes((long) i << 58), true);
      many.add(KeyRanges.of(one, one));
    }
    block.addCertain(KeyRanges.of(key, null), true, k -> k.length > 3, found, found);
    block.addCertain(KeyRanges.unionOf(many), false, k -> k.length > 3, found, found);
    long[] told = found.clone();
    block.retainTold(told);
    long[] codes = block.codes(told);
    for (int row = RowBits.next(told, 0); row >= 0; row = RowBits.next(told, row + 1)) {
      if (block.isPresent(row)) {
        block.key(codes[row]);
      }
    }
    block.addMatching(KeyRanges.unionOf(many), found);
    block.addPresent(found);
    block.addComplex(found);
  }

  private static byte[] column(Values v) {
    ColumnBlockBuilder block = new ColumnBlockBuilder();
    boolean few = v.flag();
    for (int rows = 1 + v.below(200); rows > 0; rows--) {
      boolean several = v.below(10) == 0;
      byte[] key = few ? new byte[] {5, (byte) v.below(4)} : Bytes.toBytes(v.number());
      ValueKey of = ValueType.DOUBLE.codec().key(key, 0, key.length);
      block.add(
          v.below(10) == 0 ? null : of == null ? ValueKey.of(key, true) : of,
          several,
          v.below(10) == 0);
    }
    try {
      return block.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] directory(Values v) {
    int rows = 1 + v.below(100);
    long[] offsets = new long[rows];
    int[] sizes = new int[rows];
    RowDirectory.Builder directory = new RowDirectory.Builder();
    long position = 0;
    for (int i = 0; i < rows; i++) {
      offsets[i] = 1_000L * i;
      sizes[i] = 1 + v.below(1_000);
      directory.add(v.bytes(), position);
      position += v.below(3) == 0 ? 1L << FileRun.PLACE_BITS : v.below(50);
    }
    Run file = new Run(v.hex(32), 1_000_000, rows, v.number(), offsets, sizes);
    RowDirectory.Unplaced unplaced = directory.finish((int) (position >>> FileRun.PLACE_BITS));
    try {
      return unplaced.encode(file.part(unplaced.first(), Math.min(unplaced.last() + 1, rows)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A view of one run without blocks. */
  private static byte[] view(Values v) {
    int keys = v.below(200);
    return Values.frame(
        "SPVW",
        3,
        out -> {
          Frame.writeBytes(out, FAMILY);
          out.writeInt(32);
          out.writeInt(1);
          out.writeUTF(v.hex(32));
          out.writeLong(v.below(1_000_000));
          out.writeLong(keys);
          out.writeLong(v.number());
          out.writeInt(0);
          Frame.writeBytes(out, new byte[keys]);
          packed(out, keys > 0 ? 1 : 0, 0);
          packed(out, keys > 0 ? 1 : 0, 0);
          Frame.writeBytes(out, new byte[keys > 0 ? 1 : 0]);
          packed(out, keys > 0 ? 1 : 0, 0);
          Frame.writeBytes(out, new byte[keys > 0 ? v.below(20) : 0]);
          packed(out, keys > 0 ? 1 : 0, v.below(1_000_000));
        });
  }

  private static void packed(DataOutputStream out, int count, long base) throws IOException {
    out.writeInt(count);
    for (int i = 0; i < count; i++) {
      out.writeLong(base);
      out.writeByte(0);
    }
  }

  private static void absent(DataOutputStream out, Values v) throws IOException {
    List<String> regions = v.list(() -> v.hex(32));
    out.writeInt(regions.size());
    for (String r : regions) {
      out.writeUTF(r);
      out.writeLong(v.number());
    }
  }

  private static void addControlRows(List<Decoder> all) {
    String look = SERVER + "index.global.ControlRows$Look#of";
    all.add(
        new Decoder(
            look,
            input ->
                Hidden.invoke(look, Result.create(List.of(control(new byte[] {0, 's'}, input)))),
            Decoder.Use.SHOWN,
            CORRUPT,
            v -> v.bytes(8, 20)));
    all.add(
        new Decoder(
            SERVER + "index.global.ControlRows#notes",
            input ->
                ControlRows.notes(
                    List.of(control(new byte[] {0, input.length > 0 ? input[0] : 0}, rest(input)))),
            Decoder.Use.SHOWN,
            CORRUPT,
            v -> v.flag() ? noted('b', built(v)) : noted('o', ServerDecoders.mark(v))));
  }

  private static byte[] built(Values v) {
    return new BuiltRanges(v.list(() -> new BuiltRanges.Range(v.bytes(), v.bytes()))).encode();
  }

  private static byte[] noted(char kind, byte[] note) {
    return Bytes.add(new byte[] {(byte) kind}, note);
  }

  private static byte[] rest(byte[] input) {
    return input.length == 0 ? input : Bytes.copy(input, 1, input.length - 1);
  }

  private static Cell control(byte[] row, byte[] value) {
    return new KeyValue(row, IndexTable.CONTROL, IndexTable.QUALIFIER, 1, value);
  }

  private static void addRecords(List<Decoder> all) {
    Object dictionary = dictionary();
    int[] judged = {-1, 0, -1, 1, -1, -1, -1, -1};
    int[] renumbered = {7, 6, 5, 4, 3, 2, 1, 0};
    RowJudge judge = judge();
    all.add(record("judge", b -> PackedRow.judge(b, 0, b.length, judged, judge)));
    all.add(record("oldestTimestamp", b -> PackedRow.oldestTimestamp(b, 0)));
    all.add(
        record(
            "unpack",
            b -> {
              List<Cell> cells = new ArrayList<>();
              Hidden.invoke(PACKED + "unpack", ROW, FAMILY, b, dictionary, null, cells);
              return cells;
            }));
    all.add(
        record(
            "renumber",
            b ->
                Hidden.invoke(
                    PACKED + "renumber",
                    b,
                    0,
                    b.length,
                    renumbered,
                    new DataOutputStream(new ByteArrayOutputStream()))));
  }

  /** Readers check a record before they use it. */
  private static Decoder record(String method, Decoder.Call call) {
    return new Decoder(
        PACKED + method,
        input -> {
          Hidden.invoke(PACKED + "check", input, 0, input.length);
          return PackedRow.isComplex(input, 0) ? null : call.read(input);
        },
        Decoder.Use.NONE,
        DAMAGED,
        StoredDecoders::packed);
  }

  private static RowJudge judge() {
    SchemaResolver any = new SchemaResolver("t", IndexSchema.of(List.of()), List.of("f"));
    return Binder.bind(
            Predicates.column("f:b", ValueType.INT)
                .ge(1)
                .or(Predicates.column("f:d", ValueType.STRING).eq("x")),
            any)
        .judge();
  }

  private static Object dictionary() {
    byte[] frame =
        Values.frame(
            "SPCD",
            out -> {
              out.writeInt(COLUMNS);
              for (int i = 0; i < COLUMNS; i++) {
                Frame.writeBytes(out, new byte[] {(byte) ('a' + i)});
              }
            });
    try {
      return Hidden.invoke(SERVER + "index.local.ColumnDictionary#decode", frame);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] packed(Values v) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      DataOutputStream out = new DataOutputStream(bytes);
      boolean own = v.flag();
      out.writeByte(own ? 2 : 0);
      out.writeLong(v.number());
      for (int i = v.below(3); i < COLUMNS; i += 1 + v.below(3)) {
        byte[] value = v.bytes(0, v.below(20) == 0 ? 300 : 8);
        WritableUtils.writeVLong(out, i);
        WritableUtils.writeVLong(out, value.length);
        if (own) {
          out.writeLong(v.number());
        }
        out.write(value);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] note(Values v) {
    return Values.frame(
        "SPSG",
        out -> {
          out.writeUTF(v.hex(32));
          Frame.writeBytes(out, v.bytes());
          Frame.writeBytes(out, v.bytes());
          Frame.writeBytes(out, new byte[] {'f'});
          List<String> inputs = v.list(() -> v.hex(32));
          out.writeInt(inputs.size());
          for (String i : inputs) {
            out.writeUTF(i);
          }
          out.writeInt(1);
          out.writeLong(v.number());
        });
  }

  private static byte[] list(Values v) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int n = v.below(4); n > 0; n--) {
      byte[] frame = GlobalDecoders.list(v);
      bytes.writeBytes(Bytes.toBytes(frame.length));
      bytes.writeBytes(frame);
    }
    return bytes.toByteArray();
  }

  /** What is behind damage is not read. */
  private static Object readList(byte[] input) throws Throwable {
    try (FSDataInputStream in = new FSDataInputStream(new SeekableBytes(input))) {
      AutoCloseable reader =
          (AutoCloseable) Hidden.make(LIST, "a list", (long) input.length, in, SEAL);
      List<EntryList> lists = new ArrayList<>();
      for (Object l = Hidden.on(reader, "next"); l != null; l = Hidden.on(reader, "next")) {
        lists.add((EntryList) l);
      }
      reader.close();
      return lists;
    }
  }

  /** HBase's own checks of keys are programming errors, which are told with the refusal. */
  private static byte[] open(byte[] input, Configuration conf) throws IOException {
    try {
      return Sealed.open(input, conf);
    } catch (CorruptFrameException e) {
      throw e.getMessage().endsWith("cannot be decrypted") ? new IOException(e.getMessage()) : e;
    }
  }

  private static Configuration keys() {
    Configuration conf = new Configuration(false);
    conf.set(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, FixedKeys.class.getName());
    conf.set(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, "hbase");
    return conf;
  }

  private static void addSealed(List<Decoder> all) {
    Configuration conf = keys();
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setEncryptionType("AES").build();
    all.add(
        new Decoder(
            SERVER + "seal.Sealed#open",
            input -> open(input, conf),
            Decoder.Use.NONE,
            Set.of(IOException.class),
            Values.unfailing(v -> Sealed.seal(v.bytes(0, 100), conf, family)),
            CONFIGURATIONS));
  }
}
