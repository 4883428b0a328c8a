package io.spyhop.server.global;

import io.spyhop.core.schema.IndexDefinition;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;

/** One global index that a region keeps, and whether the region is built. Thread-safe. */
final class GlobalIndex {
  private final IndexDefinition definition;
  private final TableName table;
  private volatile boolean built;
  private volatile String failure = "";

  GlobalIndex(IndexDefinition definition, TableName table) {
    this.definition = definition;
    this.table = table;
  }

  IndexDefinition definition() {
    return definition;
  }

  /** The index table. */
  TableName table() {
    return table;
  }

  boolean isBuilt() {
    return built;
  }

  void built() {
    built = true;
    failure = "";
  }

  void failed(Exception why) {
    failure = why.toString();
  }

  @Override
  public String toString() {
    return definition.name();
  }

  Optional<String> failure() {
    return failure.isEmpty() ? Optional.empty() : Optional.of(failure);
  }
}
