package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.core.wire.DecimalNumber;
import io.spyhop.server.index.global.EntryPages;
import io.spyhop.server.index.global.GlobalService;
import io.spyhop.server.index.global.RegionGlobals;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** Answers the questions of {@link ServerCalls} that are for a region. Stateless; thread-safe. */
final class IndexRegionService {
  private static final byte[] NOTHING = {};

  /** What users may ask is read before it is known what they may; entries have lengths, too. */
  private static final long MOST_BYTES =
      2 * EntryList.MOST_REPORTED_BYTES + 64L * EntryList.MOST_REPORTED;

  private IndexRegionService() {}

  /**
   * The service of a region.
   *
   * @param index the region if it is an index table's, null until it is open
   * @param tables everything of global indexes; there if {@code index} gives a region
   * @param base the region's global indexes if it is another table's, null until it is open
   */
  static Iterable<Service> of(
      Supplier<HRegion> index, Supplier<GlobalService> tables, Supplier<RegionGlobals> base) {
    return List.of(
        ServerCalls.service(
            (question, payload, protocol) ->
                switch (question) {
                  case ServerCalls.WRITE_QUESTION -> {
                    ServerService.requireServer("entries of index tables");
                    yield write(index.get(), tables, payload);
                  }
                  case ServerCalls.REMOVE_QUESTION -> {
                    ServerService.requireServer("entries of index tables");
                    yield tables(index.get(), tables)
                        .remove(index.get().getTableDescriptor().getTableName(), payload);
                  }
                  case ServerCalls.CLOCK_QUESTION -> {
                    ServerService.requireServer("clocks");
                    yield tables(index.get(), tables).guard().now().encode();
                  }
                  case ServerCalls.ENTER_QUESTION -> enter(index.get(), tables, payload);
                  default -> answer(index.get(), tables.get(), base.get(), question, payload);
                },
            CoprocessorRpcUtils::setControllerException));
  }

  private static GlobalService tables(HRegion index, Supplier<GlobalService> tables)
      throws IOException {
    if (index == null) {
      throw new IOException("the region is not open yet, or is no index table's");
    }
    return tables.get();
  }

  private static byte[] write(HRegion index, Supplier<GlobalService> tables, byte[] entries)
      throws IOException {
    return tables(index, tables).write(index.getTableDescriptor().getTableName(), entries);
  }

  private static byte[] enter(HRegion index, Supplier<GlobalService> tables, byte[] entries)
      throws IOException {
    tables(index, tables).access(index).requireOpen();
    return write(index, tables, entries);
  }

  private static byte[] answer(
      HRegion index, GlobalService tables, RegionGlobals base, String question, byte[] payload)
      throws IOException {
    if (payload.length > MOST_BYTES && !question.equals(ServerCalls.FORWARD_QUESTION)) {
      throw new DoNotRetryIOException(
          "Spyhop: " + payload.length + " bytes in one question, more than " + MOST_BYTES);
    }
    if (index != null) {
      return ofIndex(index, tables, question, payload);
    }
    if (base == null || base.repair() == null) {
      throw new IOException("the region is not open yet, or Spyhop does not run here");
    }
    return switch (question) {
      case ServerCalls.MISSING_QUESTION -> base.missing(VerifyRequest.decode(payload)).encode();
      case ServerCalls.DANGLING_QUESTION -> base.dangling(VerifyRequest.decode(payload)).encode();
      case ServerCalls.TICKET_QUESTION -> base.ticket(DecimalNumber.decode(payload)).encode();
      case ServerCalls.REPAIR_QUESTION -> {
        base.hint(EntryList.decode(payload));
        yield NOTHING;
      }
      case ServerCalls.FORWARD_QUESTION -> {
        ServerService.requireServer("forwarded repairs");
        base.repair().accept(EntryList.decode(payload));
        yield NOTHING;
      }
      default -> throw new DoNotRetryIOException("Spyhop: unknown question '" + question + "'");
    };
  }

  private static byte[] ofIndex(
      HRegion region, GlobalService tables, String question, byte[] payload) throws IOException {
    tables.access(region).requireRead();
    EntryPages pages = new EntryPages(region);
    return switch (question) {
      case ServerCalls.ENTRIES_QUESTION -> pages.page(PageRequest.decode(payload)).encode();
      case ServerCalls.ENTRIES_BACKWARDS_QUESTION ->
          pages.pageBackwards(PageRequest.decode(payload)).encode();
      case ServerCalls.BUILT_QUESTION ->
          tables.built(region, DecimalNumber.decode(payload)).encode();
      default -> throw new DoNotRetryIOException("Spyhop: unknown question '" + question + "'");
    };
  }
}
