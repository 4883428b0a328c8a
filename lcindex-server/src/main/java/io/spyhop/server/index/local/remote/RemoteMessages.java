package io.spyhop.server.index.local.remote;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.RowsDefinition;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import io.spyhop.server.index.local.SFile;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages between region servers about index files ({@code docs/formats/remote.md}).
 * Stateless.
 */
final class RemoteMessages {
  private static final int FILES = 0x53504652; // SPFR
  private static final int FOUND = 0x53504641; // SPFA
  private static final int CHUNK = 0x53504352; // SPCR
  private static final int BYTES = 0x53504341; // SPCA
  private static final int VERSION = 1;
  private static final int LEAST_DEFINITION = 2 * Frame.LEAST_UTF;
  private static final int LEAST_WANTED = Frame.LEAST_UTF + Integer.BYTES;

  private RemoteMessages() {}

  /**
   * The question which of some files a server has.
   *
   * @param region the encoded name of the region whose files they are
   * @param wanted by HFile name the indexes
   */
  record FilesRequest(String region, Map<String, List<IndexDefinition>> wanted) {
    byte[] encode() {
      return Frame.encode(
          FILES,
          VERSION,
          out -> {
            out.writeUTF(region);
            out.writeInt(wanted.size());
            for (Map.Entry<String, List<IndexDefinition>> e : wanted.entrySet()) {
              out.writeUTF(e.getKey());
              Frame.writeList(out, e.getValue(), RemoteMessages::write);
            }
          });
    }

    static FilesRequest decode(byte[] bytes) throws CorruptFrameException {
      return Frame.decode(
          "files request",
          FILES,
          VERSION,
          bytes,
          in -> {
            String region = Frame.readUtf(in);
            Map<String, List<IndexDefinition>> wanted = new LinkedHashMap<>();
            for (int n = Frame.readCount(in, LEAST_WANTED); n > 0; n--) {
              wanted.put(
                  Frame.readUtf(in),
                  Frame.readList(in, LEAST_DEFINITION, RemoteMessages::readDefinition));
            }
            return new FilesRequest(region, wanted);
          });
    }
  }

  /**
   * The answer of a server about its files.
   *
   * @param files the files that it can send
   * @param building HFiles whose index files it is about to have
   */
  record FilesAnswer(List<SFile> files, List<String> building) {
    byte[] encode() {
      return Frame.encode(
          FOUND,
          VERSION,
          out -> {
            Frame.writeList(out, files, (to, f) -> Frame.writeBytes(to, f.encode()));
            Frame.writeList(out, building, DataOutputStream::writeUTF);
          });
    }

    static FilesAnswer decode(byte[] bytes) throws CorruptFrameException {
      return Frame.decode(
          "files answer",
          FOUND,
          VERSION,
          bytes,
          in -> {
            List<SFile> files =
                Frame.readList(in, Frame.LEAST_BYTES, f -> SFile.decode(Frame.readBytes(f)));
            return new FilesAnswer(files, Frame.readList(in, Frame.LEAST_UTF, Frame::readUtf));
          });
    }
  }

  /**
   * A piece of an IFile.
   *
   * @param region the encoded name of the region
   * @param hfile the HFile's name
   * @param definition the index
   * @param unique which pair of that HFile and index
   * @param offset where the piece begins
   * @param length how many bytes at the most
   */
  record ChunkRequest(
      String region,
      String hfile,
      IndexDefinition definition,
      String unique,
      long offset,
      int length) {
    byte[] encode() {
      return Frame.encode(
          CHUNK,
          VERSION,
          out -> {
            out.writeUTF(region);
            out.writeUTF(hfile);
            write(out, definition);
            out.writeUTF(unique);
            out.writeLong(offset);
            out.writeInt(length);
          });
    }

    static ChunkRequest decode(byte[] bytes) throws CorruptFrameException {
      return Frame.decode(
          "chunk request",
          CHUNK,
          VERSION,
          bytes,
          in ->
              new ChunkRequest(
                  Frame.readUtf(in),
                  Frame.readUtf(in),
                  readDefinition(in),
                  Frame.readUtf(in),
                  in.readLong(),
                  in.readInt()));
    }
  }

  static byte[] encodeChunk(byte[] bytes) {
    return Frame.encode(BYTES, VERSION, out -> out.write(bytes));
  }

  static byte[] decodeChunk(byte[] frame) throws CorruptFrameException {
    return Frame.decode("chunk", BYTES, VERSION, frame, DataInputStream::readAllBytes);
  }

  private static void write(DataOutputStream out, IndexDefinition d) throws IOException {
    out.writeUTF(d.name());
    out.writeUTF(d.text());
  }

  private static IndexDefinition readDefinition(DataInputStream in) throws IOException {
    return RowsDefinition.parse(Frame.readUtf(in), Frame.readUtf(in));
  }
}
