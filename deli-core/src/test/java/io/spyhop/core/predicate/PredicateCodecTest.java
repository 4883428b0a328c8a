package io.spyhop.core.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Correctness rule 35: anybody may send a predicate, and it is read before anyone asks who sends
 * it.
 */
class PredicateCodecTest {
  private static final int MAGIC = 0x53505244;
  private static final int LENGTH = 1 << 20;
  private static final byte ALL = 2;

  /** The bytes of a node: its kind, and its leaf or how many children it has. */
  private static final int LEAST_NODE = 1 + Integer.BYTES;

  private static long allocatedBy(byte[] frame) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(id);
    assertThatThrownBy(() -> PredicateCodec.decode(frame))
        .isInstanceOf(CorruptFrameException.class);
    return threads.getThreadAllocatedBytes(id) - before;
  }

  /** Each of 200 nodes, one in the other, claims as many children as there are bytes for. */
  @Test
  void nodesThatClaimManyChildren() {
    byte[] frame =
        Frame.encode(
            MAGIC,
            1,
            out -> {
              out.writeInt(0);
              out.writeInt(0);
              for (int depth = 0; depth < 200; depth++) {
                out.writeByte(ALL);
                out.writeInt(LENGTH / LEAST_NODE);
              }
              out.write(new byte[LENGTH]);
            });
    assertThat(allocatedBy(frame)).isLessThan(10L * LENGTH);
  }

  /** What is no predicate is damage, whatever reading it trips over. */
  @Test
  void everyRowHasNoBytes() {
    assertThatThrownBy(() -> PredicateCodec.encode(BoundPredicate.everyRow()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("without parts");
  }

  @Test
  void bytesThatAreNoPredicate() {
    byte[] frame =
        Frame.encode(
            MAGIC,
            1,
            out -> {
              out.writeInt(1);
              Frame.writeBytesOrNull(out, null);
              Frame.writeBytesOrNull(out, null);
              out.writeUTF("LONG");
            });
    assertThatThrownBy(() -> PredicateCodec.decode(frame))
        .isInstanceOf(CorruptFrameException.class)
        .hasMessageContaining("predicate");
  }

  private static void refuses(Frame.Body body, String message) {
    byte[] frame = Frame.encode(MAGIC, 1, body);
    assertThatThrownBy(() -> PredicateCodec.decode(frame))
        .isInstanceOf(CorruptFrameException.class)
        .hasMessageContaining(message);
  }

  /** A column {@code f:} of a type, once or more often. */
  private static void columns(DataOutputStream out, String type, int times) throws IOException {
    out.writeInt(times);
    for (int i = 0; i < times; i++) {
      Frame.writeBytes(out, new byte[] {'f'});
      Frame.writeBytes(out, new byte[0]);
      out.writeUTF(type);
    }
  }

  /** The beginning of the only leaf. */
  private static void leaf(DataOutputStream out, int kind) throws IOException {
    out.writeInt(1);
    out.writeByte(kind);
    out.writeInt(0);
    out.writeBoolean(false);
  }

  @Test
  void columnsThatComeTwice() {
    refuses(out -> columns(out, "LONG", 2), "twice");
  }

  @Test
  void prefixesOfNumbers() {
    refuses(
        out -> {
          columns(out, "LONG", 1);
          leaf(out, 3);
          Frame.writeBytes(out, new byte[] {1});
        },
        "prefix of a column of type LONG");
  }

  @Test
  void rangesWithoutBounds() {
    refuses(
        out -> {
          columns(out, "LONG", 1);
          leaf(out, 1);
          Frame.writeBytesOrNull(out, null);
          out.writeBoolean(false);
          Frame.writeBytesOrNull(out, null);
          out.writeBoolean(false);
        },
        "range without bounds");
  }

  @Test
  void operandsThatDoNotAscend() {
    refuses(
        out -> {
          columns(out, "BOOLEAN", 1);
          leaf(out, 2);
          out.writeInt(2);
          Frame.writeBytes(out, new byte[] {1});
          Frame.writeBytes(out, new byte[] {2});
        },
        "operands do not ascend at 1");
  }

  /** As many as may be bound may be read; one more may be neither. */
  @Test
  void asManyConditionsAreReadAsAreWritten() throws CorruptFrameException {
    SchemaResolver any = new SchemaResolver("t", IndexSchema.of(List.of()), List.of("f"));
    Predicate one = Predicates.column("f:a", ValueType.BOOLEAN).eq(true);
    Predicate[] most = new Predicate[Predicate.MAX_NODES - 1];
    Arrays.fill(most, one);
    BoundPredicate bound = Binder.bind(Predicates.or(most), any);
    assertThat(PredicateCodec.decode(PredicateCodec.encode(bound))).isEqualTo(bound);
    Predicate more = Predicates.or(most).or(one);
    assertThatThrownBy(() -> Binder.bind(more, any))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("more than " + Predicate.MAX_NODES)
        .hasMessageContainingAll("each comparison, BETWEEN, IN", "each AND and OR", "a IN (1, 2");
    refuses(
        out -> {
          columns(out, "BOOLEAN", 1);
          leaf(out, 4);
          out.writeByte(ALL);
          out.writeInt(Predicate.MAX_NODES);
          for (int i = 0; i < Predicate.MAX_NODES; i++) {
            out.writeByte(1);
            out.writeInt(0);
          }
        },
        "more than " + Predicate.MAX_NODES);
  }

  @Test
  void asDeepIsReadAsIsWritten() throws CorruptFrameException {
    SchemaResolver any = new SchemaResolver("t", IndexSchema.of(List.of()), List.of("f"));
    Predicate p = Predicates.column("f:a", ValueType.BOOLEAN).eq(true);
    Predicate deep = p;
    for (int i = 0; i < Predicate.MAX_DEPTH; i++) {
      deep = i % 2 == 0 ? deep.and(p) : deep.or(p);
    }
    BoundPredicate bound = Binder.bind(deep, any);
    assertThat(PredicateCodec.decode(PredicateCodec.encode(bound))).isEqualTo(bound);
  }

  /** One more would be read by as many calls, one in the other. */
  @Test
  void whatIsNestedDeeperIsRefused() {
    for (int deeper : new int[] {1, 1_000_000}) {
      refuses(
          out -> {
            columns(out, "BOOLEAN", 1);
            leaf(out, 4);
            for (int i = 0; i < Predicate.MAX_DEPTH + deeper; i++) {
              out.writeByte(ALL);
              out.writeInt(1);
            }
            out.writeByte(1);
            out.writeInt(0);
          },
          "nested deeper than " + Predicate.MAX_DEPTH);
    }
  }
}
