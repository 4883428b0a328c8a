package io.spyhop.server.query.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.index.local.StoredRow;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;

class CandidateOrderProperties {
  /** Cells that are never asked for. */
  private static final StoredRow DECIDED =
      new StoredRow() {
        @Override
        public byte[] row() {
          throw new UnsupportedOperationException();
        }

        @Override
        public void unpack(List<Cell> out) {
          throw new UnsupportedOperationException();
        }

        @Override
        public int heapSize() {
          return 0;
        }
      };

  @Property
  void eachRowOnceInOrderAndReadIfAnyoneSaysSo(@ForAll("rows") List<Candidate> candidates) {
    TreeMap<byte[], Boolean> expected = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    candidates.forEach(c -> expected.merge(c.row(), c.mustBeRead(), Boolean::logicalOr));
    List<Candidate> sorted = CandidateOrder.distinct(candidates);
    assertThat(sorted.stream().map(c -> Bytes.toStringBinary(c.row())))
        .containsExactlyElementsOf(expected.keySet().stream().map(Bytes::toStringBinary).toList());
    assertThat(sorted.stream().map(Candidate::mustBeRead))
        .containsExactlyElementsOf(expected.values());
  }

  @Provide
  Arbitrary<List<Candidate>> rows() {
    Arbitrary<byte[]> few =
        Arbitraries.bytes().between((byte) -1, (byte) 1).array(byte[].class).ofMaxSize(12);
    Arbitrary<byte[]> any = Arbitraries.bytes().array(byte[].class).ofMaxSize(20);
    return Arbitraries.bytes()
        .array(byte[].class)
        .ofMaxSize(10)
        .flatMap(
            prefix ->
                Arbitraries.oneOf(few, any)
                    .map(row -> Bytes.add(prefix, row))
                    .flatMap(
                        row ->
                            Arbitraries.of(true, false)
                                .map(read -> new Candidate(row, read ? null : DECIDED)))
                    .list()
                    .ofMaxSize(40))
        .map(ArrayList::new);
  }
}
