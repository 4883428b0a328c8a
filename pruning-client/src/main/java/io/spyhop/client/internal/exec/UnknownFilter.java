package io.spyhop.client.internal.exec;

import java.util.List;
import org.apache.hadoop.hbase.filter.Filter;

/** Recognises a server that cannot read a filter, as it does not know its class. Stateless. */
public final class UnknownFilter {
  /** What HBase says when it cannot make a filter of a class, by reflection or without it. */
  private static final List<String> UNREADABLE =
      List.of("ClassNotFoundException", "Failed to deserialize");

  private UnknownFilter() {}

  /** Whether that is behind the failure of a scan. */
  public static boolean isBehind(Throwable failure, Class<? extends Filter> filter) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String said = String.valueOf(t.getMessage());
      if (said.contains(filter.getName()) && UNREADABLE.stream().anyMatch(said::contains)) {
        return true;
      }
    }
    return false;
  }
}
