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
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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

  private static final int LEAST_COLUMN = 2 * Frame.LEAST_BYTES + Frame.LEAST_UTF;
  private static final int LEAST_LEAF = 1 + Integer.BYTES + 1;
  private static final int LEAST_NODE = 1 + Integer.BYTES;

  private PredicateCodec() {}

  /**
   * The bytes of a predicate, to which nobody may write.
   *
   * @throws IllegalArgumentException if it is that of every row, which has none
   */
  public static byte[] encode(BoundPredicate predicate) {
    return predicate.bytes(() -> Frame.encode(MAGIC, VERSION, out -> write(predicate, out)));
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
    Frame.writeList(
        out,
        p.columns(),
        (to, c) -> {
          Frame.writeBytes(to, c.name().family());
          Frame.writeBytes(to, c.name().qualifier());
          to.writeUTF(c.type().name());
        });
    Frame.writeList(out, List.of(p.leaves()), (to, leaf) -> writeLeaf(leaf, to));
    writeNode(p.root(), out);
  }

  private static BoundPredicate read(DataInputStream in) throws IOException {
    List<BoundColumn> columns = Frame.readList(in, LEAST_COLUMN, PredicateCodec::readColumn);
    requireDistinct(columns);
    List<Leaf> leaves = Frame.readList(in, LEAST_LEAF, from -> readLeaf(columns, from));
    return new BoundPredicate(columns, leaves, new NodeReader(leaves.size(), in).read(0));
  }

  private static BoundColumn readColumn(DataInputStream in) throws IOException {
    ColumnName name = ColumnName.of(Frame.readBytes(in), Frame.readBytes(in));
    return new BoundColumn(name, ValueType.parse(Frame.readUtf(in)));
  }

  private static void requireDistinct(List<BoundColumn> columns) throws CorruptFrameException {
    Set<ColumnName> names = new HashSet<>();
    for (BoundColumn c : columns) {
      if (!names.add(c.name())) {
        throw new CorruptFrameException("column " + c.name() + " twice");
      }
    }
  }

  private static void writeLeaf(Leaf leaf, DataOutputStream out) throws IOException {
    if (leaf instanceof Leaf.Range r) {
      header(RANGE, r.column(), r.negated(), out);
      Frame.writeBytesOrNull(out, r.low() == null ? null : r.low().stored());
      out.writeBoolean(r.lowInclusive());
      Frame.writeBytesOrNull(out, r.high() == null ? null : r.high().stored());
      out.writeBoolean(r.highInclusive());
    } else if (leaf instanceof Leaf.In i) {
      header(IN, i.column(), i.negated(), out);
      Frame.writeList(out, List.of(i.operands()), (to, o) -> Frame.writeBytes(to, o.stored()));
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
      throw new CorruptFrameException("column " + column + " of " + columns.size());
    }
    boolean negated = in.readBoolean();
    ValueCodec codec = columns.get(column).type().codec();
    switch (kind) {
      case RANGE:
        return readRange(column, codec, negated, in);
      case IN:
        return new Leaf.In(column, readOperands(codec, in), negated);
      case PREFIX:
        if (!codec.supportsPrefix()) {
          throw new CorruptFrameException("prefix of a column of type " + codec.type());
        }
        return new Leaf.Prefix(column, codec, Frame.readBytes(in), negated);
      case NULL:
        return new Leaf.Null(column, negated);
      default:
        throw new CorruptFrameException("leaf of kind " + kind);
    }
  }

  private static Leaf readRange(int column, ValueCodec codec, boolean negated, DataInputStream in)
      throws IOException {
    Operand low = operand(codec, Frame.readBytesOrNull(in));
    boolean lowInclusive = in.readBoolean();
    Operand high = operand(codec, Frame.readBytesOrNull(in));
    if (low == null && high == null) {
      throw new CorruptFrameException("range without bounds");
    }
    return new Leaf.Range(column, codec, low, lowInclusive, high, in.readBoolean(), negated);
  }

  /** They are searched, and counted on to be few where values are: each is more than the last. */
  private static Operand[] readOperands(ValueCodec codec, DataInputStream in) throws IOException {
    List<Operand> operands = new ArrayList<>();
    for (int n = Frame.readCount(in, Frame.LEAST_BYTES); n > 0; n--) {
      Operand next = codec.operandFromStored(Frame.readBytes(in));
      if (!operands.isEmpty() && operands.get(operands.size() - 1).compareTo(next) >= 0) {
        throw new CorruptFrameException("operands do not ascend at " + operands.size());
      }
      operands.add(next);
    }
    if (operands.isEmpty()) {
      throw new CorruptFrameException("no operands");
    }
    return operands.toArray(new Operand[0]);
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
    if (children.length == 0) {
      throw new IllegalArgumentException("a condition without parts has no wire form");
    }
    out.writeByte(all ? ALL : ANY);
    out.writeInt(children.length);
    for (Node child : children) {
      writeNode(child, out);
    }
  }

  /** Reads nodes until there are too many, or too many one in the other. Not thread-safe. */
  private static final class NodeReader {
    private final int leaves;
    private final DataInputStream in;
    private int nodes;

    NodeReader(int leaves, DataInputStream in) {
      this.leaves = leaves;
      this.in = in;
    }

    Node read(int depth) throws IOException {
      if (depth > Predicate.MAX_DEPTH) {
        throw new CorruptFrameException("nested deeper than " + Predicate.MAX_DEPTH);
      }
      if (++nodes > Predicate.MAX_NODES) {
        throw new CorruptFrameException("more than " + Predicate.MAX_NODES + " conditions");
      }
      byte kind = in.readByte();
      return switch (kind) {
        case SINGLE -> single();
        case ALL -> new Node.All(children(depth));
        case ANY -> new Node.Any(children(depth));
        default -> throw new CorruptFrameException("node of kind " + kind);
      };
    }

    private Node single() throws IOException {
      int leaf = in.readInt();
      if (leaf < 0 || leaf >= leaves) {
        throw new CorruptFrameException("leaf " + leaf + " of " + leaves);
      }
      return new Node.Single(leaf);
    }

    /** The count sizes nothing: each node, one in the other, may claim all that is left. */
    private Node[] children(int depth) throws IOException {
      int count = Frame.readCount(in, LEAST_NODE);
      if (count == 0) {
        throw new CorruptFrameException("node without children");
      }
      List<Node> children = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        children.add(read(depth + 1));
      }
      return children.toArray(new Node[0]);
    }
  }
}
