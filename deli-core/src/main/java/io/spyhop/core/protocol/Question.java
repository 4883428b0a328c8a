package io.spyhop.core.protocol;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The questions that clients and servers ask of a server by {@link ServerCalls}. Their wire forms
 * are texts (docs/formats/region-messages.md).
 */
public enum Question {
  /** Asks which {@link Protocol} a server and the asker speak; the answer is decimal text. */
  VERSION(Place.SERVER, "version"),

  /** Asks a server how it is; the answer is {@link ServerHealth}. */
  HEALTH(Place.SERVER, "health"),

  /** Asks the master to create a global index, with a {@code GlobalIndexRequest}. */
  CREATE(Place.MASTER, "create-index"),

  /** Asks the master to drop a global index, with a {@code GlobalIndexRequest}. */
  DROP(Place.MASTER, "drop-index"),

  /**
   * Asks the master to make a global index anew, with a {@code GlobalIndexRequest} that has the new
   * incarnation.
   */
  REBUILD(Place.MASTER, "rebuild-index"),

  /**
   * Asks the master for the index tables that no definition names; answers {@code OrphanTables}.
   */
  ORPHANS(Place.MASTER, "orphans"),

  /** Asks the master to drop one of them; the payload is its name in UTF-8. */
  DROP_ORPHAN(Place.MASTER, "drop-orphan"),

  /**
   * Has the master rebalance a bucketed table, with a {@code RebalanceRequest}; who asks again with
   * the same one is told how far it is, as by the next question.
   */
  REBALANCE(Place.MASTER, "rebalance"),

  /**
   * Asks the master how far a rebalance is, with its {@code RebalanceRequest}; the answer is a
   * {@code RebalanceState}, or empty if it is not the last of its table.
   */
  REBALANCE_STATE(Place.MASTER, "rebalance-state"),

  /**
   * Asks the master how far the last rebalance of a table is; the payload is the table's name in
   * UTF-8, the answer a {@code RebalanceState}, or empty if there was none.
   */
  REBALANCE_LAST(Place.MASTER, "rebalance-last"),

  /**
   * Asks the master what a {@code RebalanceRequest} would move; the answer is a {@code
   * RebalancePlan}.
   */
  REBALANCE_PLAN(Place.MASTER, "rebalance-plan"),

  /**
   * Has the master stop a rebalance, named by its {@code RebalanceRequest}, before the next bucket
   * moves; the answer is as to {@link #REBALANCE_STATE}.
   */
  REBALANCE_STOP(Place.MASTER, "rebalance-stop"),

  /**
   * Asks a region server for the index jobs that ended last; the answer is a {@link JobRecord}
   * list.
   */
  JOBS(Place.REGION_SERVER, "jobs"),

  /**
   * Asks a region server for the slow queries that ended last and that the caller may be told of;
   * the answer is a {@link SlowQuery} list.
   */
  SLOW_QUERIES(Place.REGION_SERVER, "slow-queries"),

  /** Asks a region server, as the system user, which index files it has. */
  FILES(Place.REGION_SERVER, "files", Audience.SERVERS),

  /** Asks a region server, as the system user, for a piece of an index file. */
  CHUNK(Place.REGION_SERVER, "chunk", Audience.SERVERS),

  /** Asks a region server how many repairs are not done; the answer is decimal text. */
  REPAIRS(Place.REGION_SERVER, "repairs"),

  /**
   * Has a region server, as the system user, fetch the index files of a region that is going to be
   * moved to it, with a {@code Handover}; the answer is a {@code HandoverState}.
   */
  RECEIVE(Place.REGION_SERVER, "receive", Audience.SERVERS),

  /**
   * Asks a region server, as the system user, which index files a region has that is open there.
   */
  SHIPMENT(Place.REGION_SERVER, "shipment", Audience.SERVERS),

  /**
   * Has a region server, as the system user, flush a region and hold up its writes, with a {@code
   * Handover}.
   */
  HOLD(Place.REGION_SERVER, "hold", Audience.SERVERS),

  /**
   * Asks a region of an index table for entries of one span, with a {@code PageRequest}: clients of
   * earlier versions do, and clients where servers are of earlier versions.
   */
  ENTRIES(Place.INDEX_REGION, "entries"),

  /**
   * Asks a region of an index table for entries in several spans, with a {@code SearchRequest}, and
   * which rows are built; the answer is a {@code SearchPage}.
   */
  SEARCH(Place.INDEX_REGION, "search"),

  /**
   * The same as {@link #ENTRIES} from the last row on, of the region that has the row before {@code
   * to}; where the next page goes on is its {@code to}.
   */
  ENTRIES_BACKWARDS(Place.INDEX_REGION, "entries-backwards"),

  /**
   * Asks the first region of an index table which row ranges of the base table are built; the
   * payload is the incarnation as decimal text, the answer {@code BuiltRanges}.
   */
  BUILT(Place.INDEX_REGION, "built"),

  /**
   * Asks the same for another server, which may go on believing it for a while; the answer is a
   * {@code BuiltLease}.
   */
  LEASE(Place.INDEX_REGION, "lease", Audience.SERVERS),

  /** Gives a region of an index table entries of a client's, where nobody checks access. */
  ENTER(Place.INDEX_REGION, "enter"),

  /** Gives a region of an index table entries to write, as the system user. */
  WRITE(Place.INDEX_REGION, "write", Audience.SERVERS),

  /** Asks the server of an index table's region for its {@code ServerTime}. */
  CLOCK(Place.INDEX_REGION, "clock", Audience.SERVERS),

  /** Has the server of an index table's region delete entries, with an {@code EntryRemoval}. */
  REMOVE(Place.INDEX_REGION, "remove", Audience.SERVERS),

  /**
   * Tells a region of a base table of entries that nothing seems to be behind, in an {@code
   * EntryList}; they are looked at again and deleted after a while.
   */
  REPAIR(Place.BASE_REGION, "repair"),

  /** The same from a server whose region had the rows before; the answer means it is durable. */
  FORWARD(Place.BASE_REGION, "forward", Audience.SERVERS),

  /** Asks a region of a base table for entries that are missing, with a {@code VerifyRequest}. */
  MISSING(Place.BASE_REGION, "missing"),

  /** Asks a region of a base table which of the entries in a {@code VerifyRequest} dangle. */
  DANGLING(Place.BASE_REGION, "dangling"),

  /**
   * Asks a region of a base table for an {@code EntryTicket}; the payload is the index's
   * incarnation as decimal text.
   */
  TICKET(Place.BASE_REGION, "ticket");

  /** A kind of server or region that is asked. */
  public enum Place {
    /** A master or a region server. */
    SERVER,

    /** The master. */
    MASTER,

    /** A region server. */
    REGION_SERVER,

    /** A region of an index table. */
    INDEX_REGION,

    /** A region of another table. */
    BASE_REGION
  }

  /** Those who may ask. */
  private enum Audience {
    /** The servers' own user, and other superusers. */
    SERVERS,

    /** Callers whose rights the answering code checks. */
    CHECKED
  }

  private static final Map<String, Question> BY_TEXT =
      Arrays.stream(values()).collect(Collectors.toMap(Question::text, Function.identity()));

  private final Place place;
  private final String text;
  private final Audience audience;

  Question(Place place, String text) {
    this(place, text, Audience.CHECKED);
  }

  Question(Place place, String text, Audience audience) {
    this.place = place;
    this.text = text;
    this.audience = audience;
  }

  /** The wire form. */
  public String text() {
    return text;
  }

  /** Where it is asked. */
  public Place place() {
    return place;
  }

  /** Whether only the servers' own user, or another superuser, may ask. */
  public boolean isForServers() {
    return audience == Audience.SERVERS;
  }

  /** The question of a text; empty if there is none. */
  public static Optional<Question> of(String text) {
    return Optional.ofNullable(BY_TEXT.get(text));
  }
}
