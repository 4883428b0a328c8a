package io.spyhop.core.predicate;

import io.spyhop.core.schema.ColumnName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;

/**
 * A predicate whose columns have types and whose literals are operands: AND and OR over {@link
 * Leaf}s, no NOT. Immutable, thread-safe; {@link RowJudge}s evaluate it.
 */
public final class BoundPredicate {
  private final List<BoundColumn> columns;
  private final Leaf[] leaves;
  private final Node root;
  private final boolean[] required;

  /** Of each leaf, computed when it is first asked for. */
  private final AtomicReferenceArray<KeyRanges> leafKeys;

  /** Of each column, computed when it is first asked for. */
  private final AtomicReferenceArray<KeyRanges> columnKeys;

  /** Computed when they are first asked for. */
  private volatile byte[] bytes;

  BoundPredicate(List<BoundColumn> columns, List<Leaf> leaves, Node root) {
    this.columns = List.copyOf(columns);
    this.leaves = leaves.toArray(new Leaf[0]);
    this.root = root;
    this.required = new boolean[this.leaves.length];
    this.leafKeys = new AtomicReferenceArray<>(this.leaves.length);
    this.columnKeys = new AtomicReferenceArray<>(this.columns.size());
    markRequired(root);
  }

  /** The condition that every row satisfies, which reads no column and has no wire form. */
  public static BoundPredicate everyRow() {
    return new BoundPredicate(List.of(), List.of(), new Node.All(new Node[0]));
  }

  /** Whether it is {@link #everyRow}: scans of such rows have no filter. */
  public boolean isEveryRow() {
    return leaves.length == 0;
  }

  private void markRequired(Node node) {
    if (node instanceof Node.Single s) {
      required[s.leaf()] = true;
    } else if (node instanceof Node.All all) {
      Arrays.stream(all.children()).forEach(this::markRequired);
    }
  }

  /** The columns that it reads, each once. */
  public List<BoundColumn> columns() {
    return columns;
  }

  /** The position of the cell's column in {@link #columns()}, or -1. */
  public int columnOf(Cell cell) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().matches(cell)) {
        return i;
      }
    }
    return -1;
  }

  /** The position of a column in {@link #columns()}, or -1. */
  public int columnOf(ColumnName name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** A fresh evaluator of rows; not thread-safe. */
  public RowJudge judge() {
    return new RowJudge(this, -1);
  }

  /**
   * A fresh evaluator of what the predicate demands of one column alone: conditions on other
   * columns count as true. It passes every value of the column that a matching row can have.
   */
  public RowJudge judgeOf(int column) {
    return new RowJudge(this, column);
  }

  /**
   * Whether every matching row must have a decodable value in that column, so that an index of the
   * column sees all matching rows.
   */
  public boolean canDrive(int column) {
    boolean[] absent = new boolean[leaves.length];
    boolean[] undecodable = new boolean[leaves.length];
    for (int i = 0; i < leaves.length; i++) {
      boolean other = leaves[i].column() != column;
      absent[i] = other || leaves[i].whenAbsent();
      undecodable[i] = other || leaves[i].whenUndecodable();
    }
    return !root.isTrue(absent) && !root.isTrue(undecodable);
  }

  /**
   * The keys that the column's value can have in a matching row. Only meaningful where {@link
   * #canDrive} holds; a value without a key (see {@code ValueKey#isUnkeyable}) is outside all
   * ranges and must be considered in addition.
   */
  public KeyRanges keyRanges(int column) {
    return kept(columnKeys, column, () -> keyRanges(root, column));
  }

  /** Its wire form, which the codec is asked for once: a query sends it to each region. */
  byte[] bytes(Supplier<byte[]> codec) {
    byte[] known = bytes;
    if (known == null) {
      known = codec.get();
      bytes = known;
    }
    return known;
  }

  private KeyRanges keysOf(int leaf) {
    return kept(leafKeys, leaf, leaves[leaf]::keys);
  }

  /** Threads that ask at the same time may all compute it. */
  private static KeyRanges kept(
      AtomicReferenceArray<KeyRanges> computed, int i, Supplier<KeyRanges> computation) {
    KeyRanges before = computed.get(i);
    if (before != null) {
      return before;
    }
    KeyRanges keys = computation.get();
    computed.set(i, keys);
    return keys;
  }

  private KeyRanges keyRanges(Node node, int column) {
    if (node instanceof Node.Single s) {
      return leaves[s.leaf()].column() == column ? keysOf(s.leaf()) : KeyRanges.ALL;
    }
    if (node instanceof Node.All all) {
      return Arrays.stream(all.children())
          .map(c -> keyRanges(c, column))
          .reduce(KeyRanges.ALL, KeyRanges::intersect);
    }
    return KeyRanges.unionOf(
        Arrays.stream(((Node.Any) node).children()).map(c -> keyRanges(c, column)).toList());
  }

  /** Whether some condition is true of rows without its column, so that less of a row can match. */
  public boolean asksForAbsence() {
    return Arrays.stream(leaves).anyMatch(Leaf::whenAbsent);
  }

  /** Judges whether some row may make one condition true. */
  @FunctionalInterface
  public interface ConditionTest {
    /**
     * @param column the condition's column
     * @param keys outside these keys it is not true of any decodable value
     * @param whenAbsent whether it is true of rows without the column
     * @param whenUndecodable whether it is true of cells that do not decode
     */
    boolean mightMatch(
        BoundColumn column, KeyRanges keys, boolean whenAbsent, boolean whenUndecodable);
  }

  /** Whether the whole may be true of some row, given what may be true of each condition. */
  public boolean mightMatch(ConditionTest test) {
    boolean[] might = new boolean[leaves.length];
    for (int i = 0; i < leaves.length; i++) {
      Leaf leaf = leaves[i];
      might[i] =
          test.mightMatch(
              columns.get(leaf.column()), keysOf(i), leaf.whenAbsent(), leaf.whenUndecodable());
    }
    return root.isTrue(might);
  }

  /** Adds the rows of which one condition is true, or may be, as bits. */
  @FunctionalInterface
  public interface ConditionRows {
    /**
     * @param among the rows that are asked about; those of others are ignored
     * @param rows where to set their bits
     */
    void addTo(Condition condition, long[] among, long[] rows) throws IOException;
  }

  /**
   * The rows of which the whole is true, or may be, as bits, given the same of each condition.
   * Conditions that must all be true are asked about the rows that those before have left, and not
   * at all if there are none.
   *
   * @param among the rows that are asked about
   */
  public long[] rowsOf(long[] among, ConditionRows rows) throws IOException {
    return rowsOf(root, among, rows);
  }

  private long[] rowsOf(Node node, long[] among, ConditionRows rows) throws IOException {
    if (node instanceof Node.All all) {
      long[] left = among;
      for (Node child : all.children()) {
        left = isEmpty(left) ? left : rowsOf(child, left, rows);
      }
      return left;
    }
    long[] bits = new long[among.length];
    if (node instanceof Node.Single s) {
      rows.addTo(new Condition(s.leaf(), leaves[s.leaf()], keysOf(s.leaf())), among, bits);
    } else {
      for (Node child : ((Node.Any) node).children()) {
        long[] part = rowsOf(child, among, rows);
        for (int w = 0; w < bits.length; w++) {
          bits[w] |= part[w];
        }
      }
    }
    for (int w = 0; w < bits.length; w++) {
      bits[w] &= among[w];
    }
    return bits;
  }

  private static boolean isEmpty(long[] bits) {
    for (long word : bits) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  /** How many conditions there are. */
  public int conditions() {
    return leaves.length;
  }

  Leaf[] leaves() {
    return leaves;
  }

  Node root() {
    return root;
  }

  /** Whether the whole cannot be true without this leaf. */
  boolean isRequired(int leaf) {
    return required[leaf];
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof BoundPredicate other
        && columns.equals(other.columns)
        && Arrays.equals(leaves, other.leaves)
        && root.equals(other.root);
  }

  @Override
  public int hashCode() {
    return columns.hashCode() * 31 + Arrays.hashCode(leaves);
  }

  @Override
  public String toString() {
    return isEveryRow() ? "every row" : show(root, false, Object::toString);
  }

  /** The text with a question mark for each literal, for where values must not appear. */
  public String shape() {
    return show(root, false, literal -> "?");
  }

  private String show(Node node, boolean nested, Function<Object, String> literal) {
    if (node instanceof Node.Single s) {
      Leaf leaf = leaves[s.leaf()];
      return leaf.show(columns.get(leaf.column()), literal);
    }
    boolean all = node instanceof Node.All;
    Node[] children = all ? ((Node.All) node).children() : ((Node.Any) node).children();
    List<String> parts = new ArrayList<>();
    for (Node child : children) {
      parts.add(show(child, true, literal));
    }
    return parts.stream()
        .collect(Collectors.joining(all ? " AND " : " OR ", nested ? "(" : "", nested ? ")" : ""));
  }
}
