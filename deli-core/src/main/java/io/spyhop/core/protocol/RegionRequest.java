package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * A client's question to a region ({@code docs/formats/region-messages.md}).
 *
 * @param kind the question
 * @param payload {@link Kind#EXPLAIN}: an encoded {@link PlanRequest}; {@link Kind#REPORT}: the
 *     query's identifier; {@link Kind#SUMMARY}: an encoded {@code SummaryRequest}; {@link
 *     Kind#DEFINITIONS}: {@link TableDefinitions#KNOWN} or {@link TableDefinitions#AGAIN}; {@link
 *     Kind#ROWS}: a limit, an int, and HBase's form of a scan; otherwise empty
 */
public record RegionRequest(Kind kind, byte[] payload) {
  private static final String NAME = "region request";

  private static final int MAGIC = 0x53505251; // SPRQ
  private static final int VERSION = 1;

  /** A row must not be empty; the first region holds this one. */
  private static final byte[] FIRST_ROW = {0};

  /** The questions. */
  public enum Kind {
    /** How far the region's indexes are: answered by a {@link RegionStatus}. */
    STATUS,
    /** Re-read the table's definitions, then as STATUS. */
    REFRESH,
    /** How a query would run: answered by a {@link RegionPlan}. */
    EXPLAIN,
    /** How a query ran: answered by a {@link RegionPlan}, or empty if it is forgotten. */
    REPORT,
    /** The region's statistics: answered by a {@code SummaryAnswer}, or empty where refused. */
    SUMMARY,
    /** The table's families and indexes: answered by {@link TableDefinitions}. */
    DEFINITIONS,
    /** How far the region's sorted views are: answered by {@link RegionViews}. */
    VIEWS,
    /** The first rows of a scan: answered by {@link FirstRows}. */
    ROWS
  }

  /** A question without payload. */
  public static RegionRequest of(Kind kind) {
    return new RegionRequest(kind, new byte[0]);
  }

  /** The Get that carries it to a region. */
  public Get toGet(RegionInfo region) throws IOException {
    return toGet(region.getStartKey());
  }

  /** The Get that carries it to the region of a row; the empty row is the first region's. */
  public Get toGet(byte[] row) throws IOException {
    Get get = new Get(row.length == 0 ? FIRST_ROW : row);
    get.setAttribute(Attributes.REQUEST, encode());
    get.setAttribute(Attributes.PROTOCOL, Protocol.attribute());
    // A region without Spyhop reads its row: let it find nothing that could pass for an answer.
    get.setTimeRange(Long.MAX_VALUE - 1, Long.MAX_VALUE);
    get.setCacheBlocks(false);
    return get;
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(kind.name());
    Frame.writeBytes(out, payload);
  }

  /** Reads the wire form. */
  public static RegionRequest decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(NAME, MAGIC, VERSION, bytes, RegionRequest::read);
  }

  private static RegionRequest read(DataInputStream in) throws IOException {
    return new RegionRequest(Kind.valueOf(Frame.readUtf(in)), Frame.readBytes(in));
  }
}
