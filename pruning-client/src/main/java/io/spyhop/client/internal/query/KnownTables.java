package io.spyhop.client.internal.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.spyhop.client.internal.admin.DefinitionCalls;
import io.spyhop.client.internal.admin.LastKnown;
import io.spyhop.client.internal.plan.TableSchema;
import io.spyhop.core.protocol.TableDefinitions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The definitions of tables as their regions told them last, for all handles of a client: a handle
 * more is no question more. Thread-safe.
 */
public final class KnownTables {
  /** After which definitions are asked for again. */
  private static final Duration AGE = Duration.ofSeconds(2);

  private static final int MOST_TABLES = 1_000;

  private final Connection connection;
  private final Executor beside;
  private final LongSupplier nanoTime;

  /** Of tables with handles. */
  private final Cache<TableName, LastKnown<Known>> tables =
      Caffeine.newBuilder().weakValues().build();

  /** Those that were asked for last, which may have no handles for a while. */
  private final Cache<TableName, LastKnown<Known>> kept =
      Caffeine.newBuilder().maximumSize(MOST_TABLES).build();

  /**
   * The definitions of a table as they were last read.
   *
   * @param schema what queries need of the definitions
   */
  public record Known(TableDefinitions definitions, TableSchema schema) {}

  /**
   * Of a connection, which stays the caller's.
   *
   * @param beside runs what nobody waits for
   * @param nanoTime a clock in nanoseconds from any origin
   */
  public KnownTables(Connection connection, Executor beside, LongSupplier nanoTime) {
    this.connection = connection;
    this.beside = beside;
    this.nanoTime = nanoTime;
  }

  /** A handle more of a table. */
  public Handle handle(TableName table) {
    return new Handle(kept.get(table, t -> tables.get(t, this::create)));
  }

  /**
   * One handle's way to what all of its table share: what was old already when the handle was used
   * first is asked for again. Thread-safe.
   */
  public static final class Handle {
    private final LastKnown<Known> shared;
    private volatile boolean begun;

    private Handle(LastKnown<Known> shared) {
      this.shared = shared;
    }

    private void begin() throws IOException {
      if (!begun) {
        shared.recent();
        begun = true;
      }
    }

    /** As {@link LastKnown#get}. */
    public Known get() throws IOException {
      begin();
      return shared.get();
    }

    /** As {@link LastKnown#within}. */
    public Known within(Duration age) throws IOException {
      begin();
      return shared.within(age);
    }

    /** As {@link LastKnown#fresh}. */
    public Known fresh() throws IOException {
      return shared.fresh();
    }

    /** As {@link LastKnown#anew}. */
    public Known anew() throws IOException {
      return shared.anew();
    }

    /** As {@link LastKnown#refresh}. */
    public Known refresh() throws IOException {
      return shared.refresh();
    }
  }

  private LastKnown<Known> create(TableName table) {
    DefinitionCalls calls = new DefinitionCalls(connection, table, nanoTime);
    return new LastKnown<>(
        (asker, sending) -> {
          TableDefinitions told = calls.ask(asker, sending);
          return new Known(told, TableSchema.of(table, told));
        },
        AGE,
        nanoTime,
        beside);
  }

  /** To be called when this client has changed a table's definitions. */
  public void changed(TableName table) {
    LastKnown<Known> known = tables.getIfPresent(table);
    if (known != null) {
      known.forget();
    }
  }
}
