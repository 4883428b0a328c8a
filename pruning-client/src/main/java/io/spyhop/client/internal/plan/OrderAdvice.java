package io.spyhop.client.internal.plan;

import java.util.Locale;

/** Suggests what is meant instead of a text to order by that names no column. Stateless. */
final class OrderAdvice {
  private OrderAdvice() {}

  /**
   * The exception to throw.
   *
   * @param otherwise if the text is not written in another way than an order is
   */
  static RuntimeException on(String text, RuntimeException otherwise) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    Complaint complaint = new Complaint("ORDER BY", text);
    if (lower.isEmpty() || lower.startsWith(":") || lower.endsWith(":")) {
      return complaint.about(
          "names no column; write family:qualifier, a qualifier or the name of an index",
          otherwise);
    }
    if (lower.endsWith(" desc") || lower.endsWith(" asc")) {
      return complaint.about(
          "the direction does not stand with the column: use orderBy(column, Order.DESC), --desc or"
              + " DESC => true",
          otherwise);
    }
    return text.indexOf(',') < 0
        ? otherwise
        : complaint.about("rows come in the order of one column only", otherwise);
  }
}
