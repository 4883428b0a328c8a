package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.Paging;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.EntryTicket;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.server.testing.EntriesByHand;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Entries that clients write: which puts a region believes to have theirs (rule 12). */
class ClientEntriesTest {
  private static EntryTicket ticket(GlobalFixture t) throws IOException {
    byte[] incarnation =
        Long.toString(t.definition().incarnation()).getBytes(StandardCharsets.US_ASCII);
    return EntryTicket.decode(
        ServerCalls.ask(
            t.table().coprocessorService(Bytes.toBytes("k")), Question.TICKET, incarnation));
  }

  private static Put marked(EntryTicket ticket, Put put) {
    return put.setAttribute(Attributes.ENTERED, ticket.encode());
  }

  private static Entry entry(GlobalFixture t, String row, long value, long timestamp) {
    byte[] key = t.definition().type().codec().key(Bytes.toBytes(value), 0, Long.BYTES).bytes();
    return new Entry(key, Bytes.toBytes(row), timestamp);
  }

  private static void enter(GlobalFixture t, Entry entry) throws IOException {
    try (Table index = TestCluster.get().connection().getTable(t.indexName())) {
      index.put(entry.put(false));
    }
  }

  @Test
  void writesFromTheClientAreFoundByValue() throws Exception {
    try (GlobalFixture t = new GlobalFixture();
        Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      t.awaitBuilt();
      DeferredIndexTable table = spyhop.deferred(t.name(), "v").enteringFromClient();
      table.write(Bytes.toBytes("k"), 5L, 100);
      table.write(Bytes.toBytes("k"), 6L, 200);
      table.write(Bytes.toBytes("m"), 6L, 200);

      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(3);
      assertThat(table.readValue(6L, Long.MAX_VALUE, 1, Paging.first(10)).cells()).hasSize(2);
      assertThat(table.readValue(5L, Long.MAX_VALUE, 1, Paging.first(10)).cells()).isEmpty();
    }
  }

  /** The region writes no entry of its own: without the client's there is none. */
  @Test
  void regionBelievesItsTicket() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      t.write(marked(ticket(t), put("k", 1, 100)));
      assertThat(t.entries()).isEmpty();
    }
  }

  @Test
  void ticketEndsWhenTheRegionCloses() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      EntryTicket ticket = ticket(t);
      TestCluster.get().admin().disableTable(t.name());
      TestCluster.get().admin().enableTable(t.name());

      t.write(marked(ticket, put("k", 1, 100)));

      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    }
  }

  @Test
  void ticketIsForOneIncarnation() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      EntryTicket good = ticket(t);
      EntryTicket other = new EntryTicket(good.incarnation() + 1, good.opening(), good.removals());
      t.write(marked(other, put("k", 1, 100)));
      t.write(put("m", 1, 100).setAttribute(Attributes.ENTERED, new byte[] {1, 2}));
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(2);
    }
  }

  @Test
  void synchronousIndexGivesNoTicketAndIsWrittenByTheRegion() throws Exception {
    try (GlobalFixture t =
            new GlobalFixture(TestCluster.get(), f -> f, d -> d.maintenance(Maintenance.SYNC));
        Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      t.awaitBuilt();
      assertThatThrownBy(() -> ticket(t))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(t.name().getNameAsString());
      spyhop.deferred(t.name(), "v").enteringFromClient().write(Bytes.toBytes("k"), 5L, 100);
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    }
  }

  /** An entry of the past does not vouch for one that was deleted: the delete comes after it. */
  @Test
  void entryDeletedByHandIsMissedOnlyWithTheTicket() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      Entry entry = entry(t, "k", 1, 100);
      enter(t, entry);
      EntriesByHand.delete(
          TestCluster.get(),
          t.indexName(),
          List.of(
              new Delete(entry.indexRow())
                  .addColumn(IndexTable.ENTRIES, IndexTable.QUALIFIER, entry.timestamp())));
      t.write(put("k", 1, 100));
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    }
  }
}
