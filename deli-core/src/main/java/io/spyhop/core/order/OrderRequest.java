package io.spyhop.core.order;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateCodec;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * Asks a region for rows in the order of a column's values, {@code docs/formats/value-order.md}.
 *
 * @param predicate what they satisfy; true only of rows that have a value in the column
 * @param order a column of the predicate, and the direction
 * @param start the row at which the scan starts: one that HBase's client has opened again further
 *     on is recognised by it
 * @param after the last row that is not wanted any more; empty to begin with the first
 */
public record OrderRequest(
    BoundPredicate predicate, ValueOrder order, byte[] start, Optional<ValuePosition> after) {
  private static final int MAGIC = 0x5350564f; // SPVO
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    Frame.writeBytes(out, PredicateCodec.encode(predicate));
    out.writeInt(predicate.columnOf(order.column().name()));
    out.writeBoolean(order.descending());
    Frame.writeBytes(out, start);
    out.writeBoolean(after.isPresent());
    if (after.isPresent()) {
      Frame.writeBytes(out, after.get().value().stored());
      Frame.writeBytes(out, after.get().row());
    }
  }

  /**
   * Reads the wire form.
   *
   * @throws CorruptFrameException if it is none of this version, or the predicate can be true of
   *     rows without a value in the column
   */
  public static OrderRequest decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("order request", MAGIC, VERSION, bytes, OrderRequest::read);
  }

  private static OrderRequest read(DataInputStream in) throws IOException {
    BoundPredicate predicate = PredicateCodec.decode(Frame.readBytes(in));
    int column = in.readInt();
    if (column < 0 || column >= predicate.columns().size() || !predicate.canDrive(column)) {
      throw new CorruptFrameException("the predicate does not ask for a value in column " + column);
    }
    BoundColumn by = predicate.columns().get(column);
    ValueOrder order = new ValueOrder(by, in.readBoolean());
    byte[] start = Frame.readBytes(in);
    Optional<ValuePosition> after =
        in.readBoolean() ? Optional.of(position(by, in)) : Optional.empty();
    return new OrderRequest(predicate, order, start, after);
  }

  private static ValuePosition position(BoundColumn by, DataInputStream in) throws IOException {
    byte[] stored = Frame.readBytes(in);
    return new ValuePosition(by.type().codec().operandFromStored(stored), Frame.readBytes(in));
  }

  @Override
  public String toString() {
    return predicate + " ORDER BY " + order + after.map(a -> " AFTER " + a).orElse("");
  }
}
