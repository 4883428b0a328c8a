package io.spyhop.server.fuzz;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.RowsDefinition;
import io.spyhop.core.stats.RangeEstimate;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import io.spyhop.server.index.global.opening.OpeningMark;
import io.spyhop.server.index.local.SFile;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;

/** Decoders of what servers keep in files and tables, and send to each other. */
final class ServerDecoders {
  private static final String SERVER = "io.spyhop.server.";
  private static final String REMOTE = SERVER + "index.local.remote.RemoteMessages";
  private static final String HFILE = "hfile";
  private static final int PIECE = 1 << 14;
  private static final byte[] FAMILY = {'f'};
  private static final Set<Class<? extends Throwable>> CORRUPT =
      Set.of(CorruptFrameException.class);

  private ServerDecoders() {}

  static List<Decoder> all() {
    List<Decoder> all = new ArrayList<>();
    all.add(
        new Decoder(
            SERVER + "index.local.SFile#decode",
            SFile::decode,
            read -> useFile((SFile) read),
            CORRUPT,
            ServerDecoders::sfile));
    all.add(hidden("index.local.ColumnDictionary#decode", ServerDecoders::dictionary));
    all.add(
        hidden(
            "index.local.CellTimes#decode",
            v -> ByteBuffer.allocate(16).putLong(v.number()).putLong(v.number()).array()));
    all.add(hidden("index.stats.FileStatistics#decode", ServerDecoders::statistics, HFILE));
    all.add(hidden("ddl.DdlRecord#decode", ServerDecoders::ddl));
    all.add(
        hidden(
            "runtime.ChangedDefinitions#decode",
            v -> Values.frame("SPDN", out -> out.writeUTF("t" + v.below(9)))));
    all.add(
        hidden(
            "index.local.remote.RemoteMessages$FilesRequest#decode", ServerDecoders::filesRequest));
    all.add(
        hidden(
            "index.local.remote.RemoteMessages$FilesAnswer#decode", ServerDecoders::filesAnswer));
    all.add(
        hidden(
            "index.local.remote.RemoteMessages$ChunkRequest#decode", ServerDecoders::chunkRequest));
    all.add(
        new Decoder(
            REMOTE + "#decodeChunk",
            Hidden.call(REMOTE + "#decodeChunk"),
            Decoder.Use.NONE,
            CORRUPT,
            v -> Values.frame("SPCA", out -> out.write(v.bytes(0, 100)))));
    all.add(
        new Decoder(
            SERVER + "index.global.opening.OpeningMark#decode",
            input -> OpeningMark.decode(7, input),
            read -> useMark((OpeningMark) read),
            CORRUPT,
            ServerDecoders::mark));
    return all;
  }

  static Decoder hidden(String reader, Function<Values, byte[]> valid, Object... before) {
    return new Decoder(
        SERVER + reader,
        Hidden.call(SERVER + reader, before),
        read -> {
          Hidden.encodeAgain(read);
          Decoder.Use.SHOWN.use(read);
        },
        CORRUPT,
        valid);
  }

  private static void useFile(SFile read) {
    read.encode();
    Objects.requireNonNull(read.toString());
    read.unique();
    RangeEstimate.of(read.statistics(), KeyRanges.ALL);
  }

  private static void useMark(OpeningMark read) {
    read.encode();
    Objects.requireNonNull(read.toString());
    read.region();
  }

  static byte[] sfile(Values v) {
    return Values.frame(
        "SPSF",
        4,
        out -> {
          out.writeUTF(v.hex(32));
          writeDefinition(v, out);
          out.writeUTF(v.hex(32) + ".index." + v.hex(8) + ".ifile");
          int pieces = v.below(20);
          out.writeLong((long) PIECE * pieces);
          out.writeInt(PIECE);
          for (int i = 0; i < pieces; i++) {
            out.writeInt(v.below(Integer.MAX_VALUE));
          }
          out.writeLong(v.number());
          Sources.writeCounts(v, out);
        });
  }

  private static void writeDefinition(Values v, DataOutputStream out) throws IOException {
    boolean rows = v.below(8) == 0;
    IndexDefinition d = rows ? RowsDefinition.of(FAMILY) : Definitions.one(v);
    out.writeUTF(d.name());
    out.writeUTF(d.text());
  }

  private static byte[] dictionary(Values v) {
    return Values.frame("SPCD", out -> writeAll(v.list(() -> v.bytes(3, 12)), out));
  }

  private static void writeAll(List<byte[]> some, DataOutputStream out) throws IOException {
    out.writeInt(some.size());
    for (byte[] b : some) {
      Frame.writeBytes(out, b);
    }
  }

  private static byte[] statistics(Values v) {
    return Values.frame(
        "SPRF",
        out -> {
          out.writeUTF(HFILE);
          out.writeLong(v.number());
          Sources.write(v, out);
        });
  }

  private static byte[] ddl(Values v) {
    return Values.frame(
        "SPDJ",
        out -> {
          out.writeByte(v.below(3));
          Frame.writeBytes(out, GlobalDecoders.request(v).encode());
        });
  }

  private static byte[] filesRequest(Values v) {
    return Values.frame(
        "SPFR",
        out -> {
          out.writeUTF(v.hex(32));
          List<String> hfiles = v.list(() -> v.hex(32));
          out.writeInt(hfiles.size());
          for (String f : hfiles) {
            out.writeUTF(f);
            int definitions = v.below(3);
            out.writeInt(definitions);
            for (int i = 0; i < definitions; i++) {
              writeDefinition(v, out);
            }
          }
        });
  }

  private static byte[] filesAnswer(Values v) {
    return Values.frame(
        "SPFA",
        out -> {
          int files = v.below(3);
          out.writeInt(files);
          for (int i = 0; i < files; i++) {
            Frame.writeBytes(out, sfile(v));
          }
          List<String> building = v.list(() -> v.hex(32));
          out.writeInt(building.size());
          for (String b : building) {
            out.writeUTF(b);
          }
        });
  }

  private static byte[] chunkRequest(Values v) {
    return Values.frame(
        "SPCR",
        out -> {
          out.writeUTF(v.hex(32));
          out.writeUTF(v.hex(32));
          writeDefinition(v, out);
          out.writeUTF(v.hex(8));
          out.writeLong(v.number());
          out.writeInt(v.below(1_000));
        });
  }

  static byte[] mark(Values v) {
    byte[] name =
        RegionInfoBuilder.newBuilder(TableName.valueOf("table"))
            .setStartKey(v.bytes(1, 4))
            .setRegionId(v.number())
            .build()
            .getRegionName();
    return new OpeningMark(
            7,
            name,
            new BuiltRanges.Range(v.bytes(), v.bytes()),
            ServerName.valueOf("host", 16020, v.below(1_000)),
            v.number(),
            v.flag(),
            v.number(),
            v.number())
        .encode();
  }
}
