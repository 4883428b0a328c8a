package io.spyhop.server.remote;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import io.spyhop.server.local.SFile;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What region servers say to each other about index files ({@code docs/formats/remote.md}).
 * Stateless.
 */
final class RemoteMessages {
  private static final int FILES = 0x53504652; // SPFR
  private static final int FOUND = 0x53504641; // SPFA
  private static final int CHUNK = 0x53504352; // SPCR
  private static final int BYTES = 0x53504341; // SPCA
  private static final int VERSION = 1;

  private RemoteMessages() {}

  /**
   * Which of these files does a server have?
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
              out.writeInt(e.getValue().size());
              for (IndexDefinition d : e.getValue()) {
                write(out, d);
              }
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
            String region = in.readUTF();
            Map<String, List<IndexDefinition>> wanted = new LinkedHashMap<>();
            for (int n = Frame.readCount(in); n > 0; n--) {
              String hfile = in.readUTF();
              List<IndexDefinition> definitions = new ArrayList<>();
              for (int m = Frame.readCount(in); m > 0; m--) {
                definitions.add(readDefinition(in));
              }
              wanted.put(hfile, definitions);
            }
            return new FilesRequest(region, wanted);
          });
    }
  }

  /**
   * What a server has.
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
            out.writeInt(files.size());
            for (SFile f : files) {
              Frame.writeBytes(out, f.encode());
            }
            out.writeInt(building.size());
            for (String hfile : building) {
              out.writeUTF(hfile);
            }
          });
    }

    static FilesAnswer decode(byte[] bytes) throws CorruptFrameException {
      return Frame.decode(
          "files answer",
          FOUND,
          VERSION,
          bytes,
          in -> {
            List<SFile> files = new ArrayList<>();
            for (int n = Frame.readCount(in); n > 0; n--) {
              files.add(SFile.decode(Frame.readBytes(in)));
            }
            List<String> building = new ArrayList<>();
            for (int n = Frame.readCount(in); n > 0; n--) {
              building.add(in.readUTF());
            }
            return new FilesAnswer(files, building);
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
                  in.readUTF(),
                  in.readUTF(),
                  readDefinition(in),
                  in.readUTF(),
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
    try {
      return IndexDefinition.parse(in.readUTF(), in.readUTF());
    } catch (InvalidIndexException e) {
      throw new CorruptFrameException(e.getMessage(), e);
    }
  }
}
