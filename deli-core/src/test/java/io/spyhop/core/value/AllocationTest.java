package io.spyhop.core.value;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A filter compares once per cell: these comparisons leave nothing to collect. */
class AllocationTest {
  private static final int CALLS = 2_000;

  @ParameterizedTest
  @CsvSource({
    "STRING, grüße",
    "BYTES, abc",
    "INT, 1",
    "LONG, 1",
    "FLOAT, 1",
    "DOUBLE, 1",
    "BOOLEAN, true",
    "TIMESTAMP, 1",
    "DATE, 1997-03-10",
    "TEXT_LONG, 12345",
    "ORDERED_INT8, 1",
    "ORDERED_INT16, 1",
    "ORDERED_INT32, 1",
    "ORDERED_INT64, 1",
    "ORDERED_FLOAT32, 1",
    "ORDERED_FLOAT64, 1",
    "ORDERED_STRING, grüße",
    "ORDERED_BLOB, abc"
  })
  void comparingDoesNotAllocate(ValueType type, String literal) {
    Operand operand = type.codec().operand(literal);
    byte[] stored = operand.stored();
    compareOften(operand, stored);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    int sum = compareOften(operand, stored);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(sum).isZero();
    assertThat(allocated).isLessThan(CALLS);
  }

  private static int compareOften(Operand operand, byte[] stored) {
    int sum = 0;
    for (int i = 0; i < CALLS; i++) {
      sum += operand.compareStored(stored, 0, stored.length);
    }
    return sum;
  }
}
