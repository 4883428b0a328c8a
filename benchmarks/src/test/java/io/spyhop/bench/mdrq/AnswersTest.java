package io.spyhop.bench.mdrq;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private static final List<Result> EXPECTED =
      List.of(row(cell("r1", "a", 1, "x"), cell("r1", "b", 1, "y")), row(cell("r2", "a", 1, "z")));

  private static Cell cell(String row, String qualifier, long timestamp, String value) {
    return cell(row, qualifier, timestamp, KeyValue.Type.Put, value);
  }

  private static Cell cell(
      String row, String qualifier, long timestamp, KeyValue.Type type, String value) {
    return new KeyValue(
        Bytes.toBytes(row),
        Bytes.toBytes("d"),
        Bytes.toBytes(qualifier),
        timestamp,
        type,
        Bytes.toBytes(value));
  }

  private static Result row(Cell... cells) {
    return Result.create(cells);
  }

  private static void shouldDiffer(String where, Result... actual) {
    assertThat(Answers.difference(EXPECTED, Arrays.asList(actual)))
        .hasValueSatisfying(d -> assertThat(d).contains(where));
  }

  @Test
  void equalAnswersHaveNoDifference() {
    List<Result> same =
        List.of(
            row(cell("r1", "a", 1, "x"), cell("r1", "b", 1, "y")), row(cell("r2", "a", 1, "z")));
    assertThat(Answers.difference(EXPECTED, same)).isEmpty();
  }

  @Test
  void aMissingRowDiffers() {
    shouldDiffer("2 rows expected, 1 found", EXPECTED.get(0));
  }

  @Test
  void anotherOrderDiffers() {
    shouldDiffer("row r1 at position 0", EXPECTED.get(1), EXPECTED.get(0));
  }

  @Test
  void aMissingCellDiffers() {
    shouldDiffer("2 cells expected, 1 found", row(cell("r1", "a", 1, "x")), EXPECTED.get(1));
  }

  @Test
  void anotherValueDiffers() {
    shouldDiffer("row r2 at position 1", EXPECTED.get(0), row(cell("r2", "a", 1, "Z")));
  }

  @Test
  void anotherTimestampDiffers() {
    shouldDiffer("row r2", EXPECTED.get(0), row(cell("r2", "a", 2, "z")));
  }

  @Test
  void anotherTypeDiffers() {
    Cell deleted = cell("r2", "a", 1, KeyValue.Type.Delete, "z");
    shouldDiffer("row r2", EXPECTED.get(0), row(deleted));
  }

  @Test
  void anotherQualifierDiffers() {
    shouldDiffer("row r2", EXPECTED.get(0), row(cell("r2", "b", 1, "z")));
  }
}
