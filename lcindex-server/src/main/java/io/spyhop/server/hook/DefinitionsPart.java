package io.spyhop.server.hook;

import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.index.RegionContext;
import io.spyhop.server.index.RegionPart;
import io.spyhop.server.runtime.RegionSchema;
import io.spyhop.server.runtime.TableSchemas;
import java.io.IOException;
import java.util.Optional;

/**
 * A region's knowledge of its table's index definitions: whenever they have been read again, all
 * parts are told. Thread-safe.
 */
final class DefinitionsPart implements RegionPart {
  private final RegionContext context;
  private volatile RegionSchema schema;

  DefinitionsPart(RegionContext context) {
    this.context = context;
  }

  @Override
  public void opened() {
    IndexSchema first = context.schema();
    schema =
        context
            .service(TableSchemas.class)
            .open(context.region().getTableDescriptor().getTableName(), first, context::tell);
  }

  /** The definitions; empty while the region is not open. */
  Optional<RegionSchema> schema() {
    return Optional.ofNullable(schema);
  }

  @Override
  public void refresh(boolean mayChange) throws IOException {
    RegionSchema open = schema;
    if (open != null) {
      open.refreshForCall(mayChange);
    }
  }

  @Override
  public void closing() {
    RegionSchema open = schema;
    schema = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void closed() {
    closing();
  }

  @Override
  public String toString() {
    return context.region().toString();
  }
}
