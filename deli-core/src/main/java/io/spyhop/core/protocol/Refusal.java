package io.spyhop.core.protocol;

import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.core.order.OrderResetException;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Result;

/**
 * A region's refusal of a Scan or a Get that our client goes on from in another way, {@code
 * docs/formats/region-messages.md}. It travels as one cell in the place of rows: what HBase's
 * client is thrown by a scan it prints to standard error, even where nothing has failed. Clients
 * that do not say that they know such cells are thrown the exception. Immutable, thread-safe.
 *
 * @param kind what is refused
 * @param reason why, in a line
 */
public record Refusal(Kind kind, String reason) {
  private static final int MAGIC = 0x53505245; // SPRE
  private static final int VERSION = 1;

  /** Of more characters the rest is left out. */
  private static final int MOST = 1_000;

  private static final byte[] QUALIFIER = "spyhop:refused".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FIRST_ROW = {0};

  /** Kinds of refusals, with the exception that stands for it in one process. */
  public enum Kind {
    /** The query was bound by definitions that the table has no more. */
    DEFINITIONS_CHANGED(DefinitionsChangedException.class, DefinitionsChangedException::new),
    /** The scan in an order is not the one that the client asked for. */
    ORDER_RESET(OrderResetException.class, OrderResetException::new),
    /** The region does not hand out its rows in that order. */
    ORDER_REFUSED(OrderRefusedException.class, OrderRefusedException::new);

    private final Class<? extends IOException> exception;
    private final Function<String, DoNotRetryIOException> maker;

    Kind(Class<? extends IOException> exception, Function<String, DoNotRetryIOException> maker) {
      this.exception = exception;
      this.maker = maker;
    }
  }

  /**
   * The cell that tells a client of a refusal.
   *
   * @param failure why a Scan or a Get is not answered
   * @param row any row; an empty one stands for the first
   * @return empty if the failure is no refusal, or the client does not know such cells
   */
  public static Optional<Cell> answer(IOException failure, Query read, byte[] row)
      throws DoNotRetryIOException {
    if (Protocol.agreed(read.getAttribute(Attributes.PROTOCOL)) < Protocol.REFUSALS_AS_CELLS) {
      return Optional.empty();
    }
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.exception.isInstance(failure))
        .findFirst()
        .map(kind -> new Refusal(kind, String.valueOf(failure.getMessage())).cell(row));
  }

  /** No family of a table has an empty name. */
  private Cell cell(byte[] row) {
    byte[] some = row.length == 0 ? FIRST_ROW : row;
    return new KeyValue(some, HConstants.EMPTY_BYTE_ARRAY, QUALIFIER, 1L, encode());
  }

  /** Has a Scan or a Get say that this client knows such cells. */
  public static void isKnownTo(Query read) {
    read.setAttribute(Attributes.PROTOCOL, Protocol.attribute());
  }

  /**
   * What came, unless it is a refusal.
   *
   * @param row null after the last
   * @throws DoNotRetryIOException the exception that stands for the refusal
   */
  public static Result checked(Result row) throws IOException {
    Cell[] cells = row == null ? null : row.rawCells();
    if (cells != null && cells.length == 1 && isRefusal(cells[0])) {
      Refusal refusal = decode(CellUtil.cloneValue(cells[0]));
      throw refusal.kind.maker.apply(refusal.reason);
    }
    return row;
  }

  private static boolean isRefusal(Cell cell) {
    return cell.getFamilyLength() == 0 && CellUtil.matchingQualifier(cell, QUALIFIER);
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(kind.name());
    String line = reason.lines().findFirst().orElse("");
    out.writeUTF(line.substring(0, Math.min(MOST, line.length())));
  }

  /** Reads what {@link #encode} wrote. */
  public static Refusal decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "refusal",
        MAGIC,
        VERSION,
        bytes,
        in -> new Refusal(kind(Frame.readUtf(in)), Objects.requireNonNull(Frame.readUtf(in))));
  }

  private static Kind kind(String name) throws CorruptFrameException {
    try {
      return Kind.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new CorruptFrameException("refusal of kind '" + name + "'");
    }
  }
}
