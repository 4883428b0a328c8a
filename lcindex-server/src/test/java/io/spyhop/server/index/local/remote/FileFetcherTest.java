package io.spyhop.server.index.local.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.protocol.Question;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.local.BuildSettings;
import io.spyhop.server.index.local.CellSource;
import io.spyhop.server.index.local.CorruptIndexFileException;
import io.spyhop.server.index.local.IndexBuilder;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.OpenFiles;
import io.spyhop.server.index.local.PreparedFile;
import io.spyhop.server.index.local.SFile;
import io.spyhop.server.index.local.remote.RemoteMessages.ChunkRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copying index files between two directories through the messages that servers exchange. */
class FileFetcherTest {
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final byte[] F = Bytes.toBytes("f");
  private static final ColumnFamilyDescriptor FAMILY = ColumnFamilyDescriptorBuilder.of(F);
  private static final IndexDefinition A =
      IndexDefinition.builder("a").column("f:a").type(ValueType.LONG).build();
  private static final IndexDefinition LATER =
      IndexDefinition.builder("a").column("f:a").type(ValueType.LONG).build();

  @TempDir java.nio.file.Path dir;
  private final Configuration conf = HBaseConfiguration.create();
  private final AtomicLong served = new AtomicLong();
  private final AtomicLong fetched = new AtomicLong();
  private final List<Integer> pauses = new ArrayList<>();
  private final Set<String> building = new HashSet<>();
  private final AtomicInteger opened = new AtomicInteger();
  private FileSystem fs;
  private FileServer server;
  private IndexFile file;

  @BeforeEach
  void build() throws IOException {
    fs = counting(FileSystem.getLocal(conf).getRaw());
    List<Cell> cells = new ArrayList<>();
    IntStream.range(0, 5000)
        .forEach(
            i ->
                cells.add(
                    new KeyValue(
                        Bytes.toBytes(String.format("row%05d", i)),
                        F,
                        Bytes.toBytes("a"),
                        7,
                        Bytes.toBytes((long) i))));
    BuildSettings settings = new BuildSettings(conf, FAMILY, Long.MAX_VALUE, 1 << 16);
    try (IndexBuilder builder =
        new IndexBuilder(directory("there"), settings, "hfile", List.of(A), () -> false)) {
      for (PreparedFile f : builder.build(source(cells))) {
        file = f.commit();
      }
    }
    server =
        new FileServer(
            new FileServer.Holdings() {
              @Override
              public IndexDirectory directory(String region) {
                return FileFetcherTest.this.directory(region.equals(REGION) ? "there" : "nowhere");
              }

              @Override
              public boolean isBuilding(String region, String hfile) {
                return building.contains(hfile);
              }
            },
            served::addAndGet);
  }

  /** Counts how often an SFile is opened. */
  private FileSystem counting(FileSystem local) {
    return new FilterFileSystem(local) {
      @Override
      public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        if (path.getName().endsWith(SFile.SUFFIX)) {
          opened.incrementAndGet();
        }
        return super.open(path, bufferSize);
      }
    };
  }

  private IndexDirectory directory(String name) {
    return new IndexDirectory(
        fs,
        conf,
        new Path(dir.resolve(name).toString()),
        new Path(dir.resolve(".tmp").toString()),
        new OpenFiles(Long.MAX_VALUE, Long.MAX_VALUE));
  }

  private static CellSource source(List<Cell> cells) {
    var iterator = cells.iterator();
    return new CellSource() {
      @Override
      public Cell next() {
        return iterator.hasNext() ? iterator.next() : null;
      }

      @Override
      public void shipped() {}

      @Override
      public void close() {}
    };
  }

  private FileFetcher fetcher() {
    return new FileFetcher(1000, fetched::addAndGet, pauses::add);
  }

  private FileFetcher.Found find(FileFetcher.Server s, IndexDefinition d) {
    return fetcher().find(List.of(s), REGION, Map.of("hfile", List.of(d)), () -> false);
  }

  private IndexFile fetch(FileFetcher.Server from) throws IOException {
    FileFetcher.Offer found = find(server::answer, A).offers().get(0);
    return fetcher()
        .fetch(
            new FileFetcher.Offer(from, found.file()),
            REGION,
            directory("here"),
            "hfile.parent",
            FAMILY,
            () -> false);
  }

  private byte[] bytes(String directory, IndexFile f) throws IOException {
    return Files.readAllBytes(dir.resolve(directory).resolve(f.ifile()));
  }

  @Test
  void copiesAreEqualAndUnderTheirNewName() throws IOException {
    IndexFile copy = fetch(server::answer);
    assertThat(bytes("here", copy)).isEqualTo(bytes("there", file));
    assertThat(copy.hfile()).isEqualTo("hfile.parent");
    assertThat(copy.ifile()).isNotEqualTo(file.ifile());
    assertThat(copy.header().statistics()).isEqualTo(file.header().statistics());
    assertThat(directory("here").load(List.of())).hasSize(1);
    assertThat(fetched.get()).isEqualTo(file.ifileLength()).isEqualTo(served.get());
  }

  /** An SFile grows with its IFile. */
  @Test
  void theSFileIsReadOnceForAllPieces() throws IOException {
    FileFetcher.Offer offer = find(server::answer, A).offers().get(0);
    String unique = file.header().unique();
    opened.set(0);
    fetcher().fetch(offer, REGION, directory("here"), "copy", FAMILY, () -> false);
    assertThat(served.get()).as("more than one piece").isGreaterThan(10_000);
    assertThat(opened.get()).isEqualTo(1);
    String name = file.ifile().replace(".ifile", SFile.SUFFIX);
    Files.write(dir.resolve("there").resolve(name), new byte[1], StandardOpenOption.APPEND);
    byte[] first = new ChunkRequest(REGION, "hfile", A, unique, 0, 10).encode();
    assertThatThrownBy(() -> server.answer(Question.CHUNK, first))
        .as("what is remembered is not what is there now")
        .isInstanceOf(IOException.class);
    assertThat(opened.get()).isEqualTo(2);
  }

  @Test
  void onlyTheLastSFilesAreRemembered() throws IOException {
    ServedFiles remembered = new ServedFiles(100);
    List<String> read = new ArrayList<>();
    for (String asked : List.of("a:40", "b:40", "a:40", "c:40", "a:40", "b:40", "d:500", "d:500")) {
      String[] nameAndLength = asked.split(":", -1);
      FileStatus status =
          new FileStatus(
              Long.parseLong(nameAndLength[1]), false, 1, 1, 7, new Path("/" + nameAndLength[0]));
      remembered.get(
          status,
          sfile -> {
            read.add(sfile.getPath().getName());
            return file;
          });
    }
    assertThat(read).containsExactly("a", "b", "c", "b", "d");
  }

  /** Every third answer is lost or damaged: the copy goes on where it was. */
  @Test
  void goesOnWhereItFailed() throws IOException {
    int[] asked = {0};
    IndexFile copy =
        fetch(
            (question, payload) -> {
              byte[] answer = server.answer(question, payload);
              switch (asked[0]++ % 3) {
                case 0 -> throw new IOException("connection reset");
                case 1 -> answer[answer.length / 2] ^= 1;
                default -> {
                  // this one arrives
                }
              }
              return answer;
            });
    assertThat(bytes("here", copy)).isEqualTo(bytes("there", file));
    assertThat(fetched.get()).isEqualTo(file.ifileLength());
    assertThat(pauses).hasSizeGreaterThan(10).contains(1, 2).doesNotContain(3);
  }

  /** A sweep may come between: nobody waits for what will not come back. */
  @Test
  void whatIsThereNoMoreIsNotAskedForAgain() throws IOException {
    FileFetcher.Offer offer = find(server::answer, A).offers().get(0);
    try (var all = Files.list(dir.resolve("there"))) {
      for (java.nio.file.Path f : all.toList()) {
        Files.delete(f);
      }
    }
    assertThatThrownBy(
            () -> fetcher().fetch(offer, REGION, directory("here"), "copy", FAMILY, () -> false))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("here no more");
    assertThat(pauses).isEmpty();
  }

  @Test
  void aServerThatStaysAwayIsGivenUpAndNothingIsLeft() throws IOException {
    assertThatThrownBy(
            () ->
                fetch(
                    (q, p) -> {
                      throw new IOException("gone");
                    }))
        .hasMessage("gone");
    assertThat(pauses).containsExactly(1, 2, 3, 4);
    try (var left = Files.list(dir.resolve(".tmp"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void cancelledCopyLeavesNothing() throws IOException {
    FileFetcher.Offer offer = find(server::answer, A).offers().get(0);
    assertThatThrownBy(
            () -> fetcher().fetch(offer, REGION, directory("here"), "x", FAMILY, () -> true))
        .isInstanceOf(CancellationException.class);
    assertThat(directory("here").load(List.of())).isEmpty();
  }

  @Test
  void onlyFilesOfTheSameDefinitionAreOffered() {
    assertThat(find(server::answer, A).offers()).hasSize(1);
    assertThat(find(server::answer, LATER).offers()).isEmpty();
    assertThat(
            fetcher()
                .find(List.of(server::answer), REGION, Map.of("other", List.of(A)), () -> false)
                .offers())
        .isEmpty();
  }

  @Test
  void saysWhatIsBeingBuilt() {
    building.add("hfile");
    assertThat(find(server::answer, LATER).building()).containsExactly("hfile");
    assertThat(find(server::answer, A).building()).as("what is there already").isEmpty();
  }

  @Test
  void serversThatDoNotAnswerArePassedOver() {
    FileFetcher.Server dead =
        (q, p) -> {
          throw new IOException("refused");
        };
    assertThat(
            fetcher()
                .find(
                    List.of(dead, server::answer), REGION, Map.of("hfile", List.of(A)), () -> false)
                .offers())
        .hasSize(1);
  }

  /** Whatever is asked for, no file but a committed pair of the region is opened. */
  @Test
  void namesArePartsOfAnIdentityNotPaths() throws IOException {
    String unique = file.header().unique();
    List<ChunkRequest> bad =
        List.of(
            new ChunkRequest("../" + REGION, "hfile", A, unique, 0, 10),
            new ChunkRequest(REGION, "../there/hfile", A, unique, 0, 10),
            new ChunkRequest(REGION, "hfile", A, "../../..", 0, 10),
            new ChunkRequest(REGION, "hfile", LATER, unique, 0, 10),
            new ChunkRequest(REGION, "hfile", A, unique, -1, 10),
            new ChunkRequest(REGION, "hfile", A, unique, Long.MAX_VALUE, 10),
            new ChunkRequest(REGION, "hfile", A, unique, 0, 0));
    for (ChunkRequest r : bad) {
      assertThatThrownBy(() -> server.answer(Question.CHUNK, r.encode()))
          .as(r.toString())
          .isInstanceOf(DoNotRetryIOException.class);
    }
    assertThat(served.get()).isZero();
  }

  /** One bit is wrong where the file was built: nothing of it gets anywhere else. */
  @Test
  void damageIsNotCopied() throws IOException {
    java.nio.file.Path path = dir.resolve("there").resolve(file.ifile());
    byte[] damaged = Files.readAllBytes(path);
    damaged[damaged.length / 2] ^= 1;
    Files.write(path, damaged);
    assertThatThrownBy(() -> fetch(server::answer))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("damaged");
    assertThat(pauses).as("it is not asked for again").isEmpty();
    assertThat(directory("here").load(List.of())).isEmpty();
  }

  /** A server that sends something else in good order: the copy is compared piece by piece. */
  @Test
  void anotherFileIsNotTheOriginal() {
    assertThatThrownBy(
            () -> fetch((question, payload) -> RemoteMessages.encodeChunk(new byte[20_000])))
        .isInstanceOf(CorruptIndexFileException.class);
    assertThat(fetched.get()).as("it is noticed at the first piece").isZero();
  }
}
