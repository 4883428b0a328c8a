package io.spyhop.bench.mdrq;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;

/** One way to answer a query. */
@FunctionalInterface
public interface Side {
  /** The complete answer in row-key order, all of it in the client's memory. */
  List<Result> ask() throws IOException;
}
