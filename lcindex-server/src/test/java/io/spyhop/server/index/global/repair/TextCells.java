package io.spyhop.server.index.global.repair;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Cells as text: {@code row column timestamp type [value] [ttl=millis] [seq=number]} where the type
 * is put, delete, column, family or familyversion.
 */
final class TextCells {
  private TextCells() {}

  /** One cell a line, in HBase's order. */
  static List<KeyValue> parse(String text) {
    List<KeyValue> cells = new ArrayList<>();
    int seq = 1_000;
    for (String line : text.strip().split("\n")) {
      KeyValue cell = parseLine(line.strip().split(" +"));
      if (cell.getSequenceId() == 0) {
        cell.setSequenceId(seq--);
      }
      cells.add(cell);
    }
    cells.sort(CellComparatorImpl.COMPARATOR);
    return cells;
  }

  private static KeyValue parseLine(String[] words) {
    String value = "";
    List<Tag> tags = new ArrayList<>();
    long seq = 0;
    for (String w : Arrays.asList(words).subList(4, words.length)) {
      if (w.startsWith("ttl=")) {
        long ttl = Long.parseLong(w.substring(4));
        tags.add(new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(ttl)));
      } else if (w.equals("label")) {
        tags.add(new ArrayBackedTag(TagType.VISIBILITY_TAG_TYPE, new byte[] {1}));
      } else if (w.startsWith("seq=")) {
        seq = Long.parseLong(w.substring(4));
      } else {
        value = w;
      }
    }
    KeyValue cell =
        new KeyValue(
            Bytes.toBytes(words[0]),
            Bytes.toBytes("f"),
            words[1].equals("-") ? new byte[0] : Bytes.toBytes(words[1]),
            Long.parseLong(words[2]),
            type(words[3]),
            Bytes.toBytes(value),
            tags);
    cell.setSequenceId(seq);
    return cell;
  }

  private static KeyValue.Type type(String word) {
    return switch (word) {
      case "put" -> KeyValue.Type.Put;
      case "delete" -> KeyValue.Type.Delete;
      case "column" -> KeyValue.Type.DeleteColumn;
      case "family" -> KeyValue.Type.DeleteFamily;
      case "familyversion" -> KeyValue.Type.DeleteFamilyVersion;
      default -> throw new IllegalArgumentException(word);
    };
  }

  /** A put's value. */
  static String value(Cell cell) {
    return Bytes.toString(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
  }
}
