package io.spyhop.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.IndexAdmin;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.schema.IndexKind;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Ways to change indexes, and to read and write their tables by hand. Stateless. */
final class AdminWays {
  private AdminWays() {}

  /** What is done, which may be refused. */
  private static Observation done(Caller c, Caller.Asking<?> work) throws Exception {
    Caller.Answer<?> answer = c.ask(work);
    return answer.isRefused() ? answer.refused() : Observation.of(Outcome.ANSWERED, List.of());
  }

  /** An operation on the index table. */
  private interface Work {
    void with(Table index, byte[] row) throws Exception;
  }

  private static Observation onIndexTable(Caller c, Work work) throws Exception {
    byte[] row = c.data().entry(SecretTable.row(100), "glob-100q", SecretTable.NOW).indexRow();
    return done(
        c,
        () -> {
          try (Table index = c.connection().getTable(c.data().indexName())) {
            work.with(index, row);
          }
          return true;
        });
  }

  static Observation get(Caller c) throws Exception {
    return onIndexTable(c, (index, row) -> c.checked(index.get(new Get(row)).toString()));
  }

  static Observation scan(Caller c) throws Exception {
    return onIndexTable(
        c,
        (index, row) -> {
          try (ResultScanner rows = index.getScanner(new Scan())) {
            rows.forEach(r -> c.checked(r.toString()));
          }
        });
  }

  /** An entry that is there already. */
  static Observation put(Caller c) throws Exception {
    return onIndexTable(
        c,
        (index, row) ->
            index.put(
                new Put(row)
                    .addColumn(
                        IndexTable.ENTRIES, IndexTable.QUALIFIER, SecretTable.NOW, new byte[0])));
  }

  /** A change of a table's indexes. */
  private interface Change {
    void with(IndexAdmin admin, TableName table) throws Exception;
  }

  private static Observation change(Caller c, Change change) throws Exception {
    ChangedTable table = c.site().changed();
    Observation seen =
        done(
            c,
            () -> {
              change.with(c.spyhop().admin(), table.name());
              return true;
            });
    if (seen.outcome() != Outcome.REFUSED) {
      table.restore();
    }
    return seen;
  }

  static Observation createLocal(Caller c) throws Exception {
    return create(c, IndexKind.LOCAL);
  }

  static Observation createGlobal(Caller c) throws Exception {
    return create(c, IndexKind.GLOBAL);
  }

  private static Observation create(Caller c, IndexKind kind) throws Exception {
    return change(
        c, (admin, table) -> admin.createIndex(table, ChangedTable.index(ChangedTable.NEW, kind)));
  }

  static Observation dropLocal(Caller c) throws Exception {
    return drop(c, IndexKind.LOCAL);
  }

  static Observation dropGlobal(Caller c) throws Exception {
    return drop(c, IndexKind.GLOBAL);
  }

  private static Observation drop(Caller c, IndexKind kind) throws Exception {
    return change(
        c, (admin, table) -> admin.dropIndex(table, ChangedTable.name(ChangedTable.THERE, kind)));
  }

  static Observation rebuildLocal(Caller c) throws Exception {
    return rebuild(c, IndexKind.LOCAL);
  }

  static Observation rebuildGlobal(Caller c) throws Exception {
    return rebuild(c, IndexKind.GLOBAL);
  }

  private static Observation rebuild(Caller c, IndexKind kind) throws Exception {
    return change(
        c,
        (admin, table) -> admin.rebuildIndex(table, ChangedTable.name(ChangedTable.THERE, kind)));
  }

  /** Each question about rebalances is for the same users. */
  static Observation rebalance(Caller c) throws Exception {
    RebalanceRequest request =
        new RebalanceRequest(
            c.site().changed().name(), UUID.randomUUID(), List.of(), Duration.ZERO);
    byte[] name = Bytes.toBytes(request.table().getNameAsString());
    Observation last = ask(c, Question.REBALANCE_LAST, name);
    for (Question question : List.of(Question.REBALANCE_STATE, Question.REBALANCE_STOP)) {
      assertThat(ask(c, question, request.encode()).outcome()).isEqualTo(last.outcome());
    }
    for (Question question : List.of(Question.REBALANCE_PLAN, Question.REBALANCE)) {
      boolean refused = last.outcome() == Outcome.REFUSED;
      Observation begun =
          refused
              ? ask(c, question, request.encode())
              : done(c, () -> askPlain(c, question, request));
      assertThat(begun.outcome()).as(question.text()).isEqualTo(last.outcome());
    }
    return last;
  }

  private static Observation ask(Caller c, Question question, byte[] payload) throws Exception {
    return done(
        c,
        () -> {
          try (Admin admin = c.connection().getAdmin()) {
            return ServerCalls.ask(admin.coprocessorService(), question, payload).length;
          }
        });
  }

  /** The table has no buckets, which is said to who may know. */
  private static boolean askPlain(Caller c, Question question, RebalanceRequest request)
      throws Exception {
    try (Admin admin = c.connection().getAdmin()) {
      assertThatThrownBy(
              () -> ServerCalls.ask(admin.coprocessorService(), question, request.encode()))
          .hasMessageContaining("has no buckets");
    }
    return true;
  }

  static Observation orphans(Caller c) throws Exception {
    return done(c, () -> c.checked(c.spyhop().admin().orphans().toString()));
  }
}
