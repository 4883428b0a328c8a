package io.spyhop.core.predicate;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The wire form of a bound predicate, {@code docs/formats/predicate.md}. Stateless. */
public final class PredicateCodec {
  private static final int MAGIC = 0x53505244; // SPRD
  private static final int VERSION = 1;
  private static final byte RANGE = 1;
  private static final byte IN = 2;
  private static final byte PREFIX = 3;
  private static final byte NULL = 4;
  private static final byte SINGLE = 1;
  private static final byte ALL = 2;
  private static final byte ANY = 3;

  private PredicateCodec() {}

  /** The bytes of a predicate. */
  public static byte[] encode(BoundPredicate predicate) {
    return Frame.encode(MAGIC, VERSION, out -> write(predicate, out));
  }

  /**
   * The predicate behind the bytes.
   *
   * @throws CorruptFrameException if they are not a predicate of this version
   */
  public static BoundPredicate decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("predicate", MAGIC, VERSION, bytes, PredicateCodec::read);
  }

  private static void write(BoundPredicate p, DataOutputStream out) throws IOException {
    out.writeInt(p.columns().size());
    for (BoundColumn c : p.columns()) {
      Frame.writeBytes(out, c.name().family());
      Frame.writeBytes(out, c.name().qualifier());
      out.writeUTF(c.type().name());
    }
    out.writeInt(p.leaves().length);
    for (Leaf leaf : p.leaves()) {
      writeLeaf(leaf, out);
    }
    writeNode(p.root(), out);
  }

  private static BoundPredicate read(DataInputStream in) throws IOException {
    List<BoundColumn> columns = new ArrayList<>();
    for (int n = Frame.readCount(in); n > 0; n--) {
      ColumnName name = ColumnName.of(Frame.readBytes(in), Frame.readBytes(in));
      columns.add(new BoundColumn(name, ValueType.parse(in.readUTF())));
    }
    List<Leaf> leaves = new ArrayList<>();
    for (int n = Frame.readCount(in); n > 0; n--) {
      leaves.add(readLeaf(columns, in));
    }
    return new BoundPredicate(columns, leaves, readNode(leaves.size(), 0, in));
  }

  private static void writeLeaf(Leaf leaf, DataOutputStream out) throws IOException {
    if (leaf instanceof Leaf.Range r) {
      header(RANGE, r.column(), r.negated(), out);
      Frame.writeBytes(out, r.low() == null ? null : r.low().stored());
      out.writeBoolean(r.lowInclusive());
      Frame.writeBytes(out, r.high() == null ? null : r.high().stored());
      out.writeBoolean(r.highInclusive());
    } else if (leaf instanceof Leaf.In i) {
      header(IN, i.column(), i.negated(), out);
      out.writeInt(i.operands().length);
      for (Operand o : i.operands()) {
        Frame.writeBytes(out, o.stored());
      }
    } else if (leaf instanceof Leaf.Prefix p) {
      header(PREFIX, p.column(), p.negated(), out);
      Frame.writeBytes(out, p.prefix());
    } else {
      header(NULL, leaf.column(), ((Leaf.Null) leaf).negated(), out);
    }
  }

  private static void header(byte kind, int column, boolean negated, DataOutputStream out)
      throws IOException {
    out.writeByte(kind);
    out.writeInt(column);
    out.writeBoolean(negated);
  }

  private static Leaf readLeaf(List<BoundColumn> columns, DataInputStream in) throws IOException {
    byte kind = in.readByte();
    int column = in.readInt();
    if (column < 0 || column >= columns.size()) {
      throw new IOException("column " + column + " of " + columns.size());
    }
    boolean negated = in.readBoolean();
    ValueCodec codec = columns.get(column).type().codec();
    switch (kind) {
      case RANGE:
        Operand low = operand(codec, Frame.readBytes(in));
        boolean lowInclusive = in.readBoolean();
        Operand high = operand(codec, Frame.readBytes(in));
        return new Leaf.Range(column, codec, low, lowInclusive, high, in.readBoolean(), negated);
      case IN:
        Operand[] operands = new Operand[Frame.readCount(in, Integer.BYTES)];
        for (int i = 0; i < operands.length; i++) {
          operands[i] = codec.operandFromStored(Frame.readBytes(in));
        }
        return new Leaf.In(column, operands, negated);
      case PREFIX:
        return new Leaf.Prefix(column, codec, Frame.readBytes(in), negated);
      case NULL:
        return new Leaf.Null(column, negated);
      default:
        throw new IOException("leaf of kind " + kind);
    }
  }

  private static Operand operand(ValueCodec codec, byte[] stored) {
    return stored == null ? null : codec.operandFromStored(stored);
  }

  private static void writeNode(Node node, DataOutputStream out) throws IOException {
    if (node instanceof Node.Single s) {
      out.writeByte(SINGLE);
      out.writeInt(s.leaf());
      return;
    }
    boolean all = node instanceof Node.All;
    Node[] children = all ? ((Node.All) node).children() : ((Node.Any) node).children();
    out.writeByte(all ? ALL : ANY);
    out.writeInt(children.length);
    for (Node child : children) {
      writeNode(child, out);
    }
  }

  private static Node readNode(int leaves, int depth, DataInputStream in) throws IOException {
    if (depth > Predicate.MAX_DEPTH) {
      throw new IOException("nested deeper than " + Predicate.MAX_DEPTH);
    }
    byte kind = in.readByte();
    if (kind == SINGLE) {
      int leaf = in.readInt();
      if (leaf < 0 || leaf >= leaves) {
        throw new IOException("leaf " + leaf + " of " + leaves);
      }
      return new Node.Single(leaf);
    }
    if (kind != ALL && kind != ANY) {
      throw new IOException("node of kind " + kind);
    }
    List<Node> read = new ArrayList<>();
    for (int n = Frame.readCount(in); n > 0; n--) {
      read.add(readNode(leaves, depth + 1, in));
    }
    Node[] children = read.toArray(new Node[0]);
    return kind == ALL ? new Node.All(children) : new Node.Any(children);
  }
}
