package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.Question.Place;
import io.spyhop.core.protocol.SearchPage;
import io.spyhop.core.protocol.SearchRequest;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.core.wire.DecimalNumber;
import io.spyhop.server.index.global.EntryPages;
import io.spyhop.server.index.global.GlobalService;
import io.spyhop.server.index.global.RegionGlobals;
import java.io.IOException;
import java.util.EnumSet;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
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
    return AnswerService.of(
        EnumSet.of(Place.INDEX_REGION, Place.BASE_REGION),
        (question, payload, protocol) ->
            switch (question) {
              case WRITE -> write(index.get(), tables, payload);
              case REMOVE ->
                  tables(index.get(), tables)
                      .remove(index.get().getTableDescriptor().getTableName(), payload);
              case CLOCK -> tables(index.get(), tables).guard().now().encode();
              case ENTER -> enter(index.get(), tables, payload);
              default -> answer(index.get(), tables.get(), base.get(), question, payload);
            });
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
      HRegion index, GlobalService tables, RegionGlobals base, Question question, byte[] payload)
      throws IOException {
    if (payload.length > MOST_BYTES && question != Question.FORWARD) {
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
      case MISSING -> base.missing(VerifyRequest.decode(payload)).encode();
      case DANGLING -> base.dangling(VerifyRequest.decode(payload)).encode();
      case TICKET -> base.ticket(DecimalNumber.decode(payload)).encode();
      case REPAIR -> {
        base.hint(EntryList.decode(payload));
        yield NOTHING;
      }
      case FORWARD -> {
        base.repair().accept(EntryList.decode(payload));
        yield NOTHING;
      }
      default -> throw ServerCalls.unknown(question.text());
    };
  }

  private static byte[] ofIndex(
      HRegion region, GlobalService tables, Question question, byte[] payload) throws IOException {
    tables.access(region).requireRead();
    EntryPages pages = new EntryPages(region);
    return switch (question) {
      case ENTRIES -> pages.page(PageRequest.decode(payload)).encode();
      case ENTRIES_BACKWARDS -> pages.pageBackwards(PageRequest.decode(payload)).encode();
      case SEARCH -> search(region, tables, SearchRequest.decode(payload)).encode();
      case BUILT -> tables.built(region, DecimalNumber.decode(payload)).encode();
      case LEASE -> tables.lease(region, DecimalNumber.decode(payload)).encode();
      default -> throw ServerCalls.unknown(question.text());
    };
  }

  /** What is built is looked at first: whatever is in these rows then has its entries. */
  private static SearchPage search(HRegion region, GlobalService tables, SearchRequest request)
      throws IOException {
    BuiltRanges built = tables.built(region, request.incarnation());
    return new SearchPage(built, new EntryPages(region).page(request));
  }
}
