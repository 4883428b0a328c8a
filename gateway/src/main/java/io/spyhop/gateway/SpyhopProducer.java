package io.spyhop.gateway;

import io.spyhop.client.Aggregate;
import io.spyhop.client.Aggregation;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.client.QueryCancelledException;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.ActionType;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.Criteria;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * Answers the calls of Flight that docs/formats/gateway.md names; all others are unimplemented.
 * Each call that asks HBase counts as a query while it runs. Thread-safe.
 */
final class SpyhopProducer extends NoOpFlightProducer implements AutoCloseable {
  private static final ActionType EXPLAIN =
      new ActionType("explain", "How a query would be answered, as text");
  private static final ActionType COUNT =
      new ActionType("count", "How many rows a query has, in decimal digits");

  /** The user of calls without a token: the gateway's own. */
  private static final String OWN = "";

  private static final long UNKNOWN = -1;

  private final UserClients clients;
  private final GatewaySettings settings;
  private final BufferAllocator allocator;
  private final Places places;
  private final Set<QueryStream> running = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "spyhop-gateway-query");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param allocator of all batches; stays the caller's
   */
  SpyhopProducer(UserClients clients, GatewaySettings settings, BufferAllocator allocator) {
    this.clients = clients;
    this.settings = settings;
    this.allocator = allocator;
    int queries = settings.limits().queries();
    this.places =
        new Places(queries, settings.users().isPresent() ? queries - queries / 2 : queries);
  }

  /** Something that is asked of HBase. */
  @FunctionalInterface
  private interface Asking<T> {
    T ask(UserClients.Lease client) throws IOException;
  }

  /** Does what counts as a query. */
  private <T> T counted(CallContext context, Supplier<T> query) {
    take(context);
    try {
      return query.get();
    } finally {
      places.give(context.peerIdentity());
    }
  }

  private <T> T ask(CallContext context, String place, Asking<T> asking) {
    try (UserClients.Lease client = clients.of(user(context))) {
      return asking.ask(client);
    } catch (IOException | RuntimeException e) {
      throw FlightErrors.of(place + as(context), e);
    }
  }

  private void take(CallContext context) {
    try {
      places.take(context.peerIdentity());
    } catch (TooManyException e) {
      throw FlightErrors.of("the gateway", e);
    }
  }

  private String user(CallContext context) {
    return settings.impersonates() ? context.peerIdentity() : OWN;
  }

  private String as(CallContext context) {
    return settings.impersonates() ? " as user '" + context.peerIdentity() + "'" : "";
  }

  /** Reads a query, which takes seconds if its condition is long. */
  private QueryRequest request(byte[] json) {
    long begin = System.nanoTime();
    try {
      QueryRequest request = QueryRequest.parse(json, settings.limits().time());
      Duration most = request.query().timeout().orElseThrow();
      if (System.nanoTime() - begin > most.toNanos()) {
        throw FlightErrors.of(
            place(request),
            new QueryCancelledException(
                "it was not answered within " + most.toMillis() + " ms, but read"));
      }
      return request;
    } catch (IllegalArgumentException e) {
      throw FlightErrors.of("query", e);
    }
  }

  private static String place(QueryRequest request) {
    return "table '" + request.table() + "'";
  }

  private static IndexedTable table(Spyhop spyhop, TableName name) throws IOException {
    if (IndexTable.isReserved(name)) {
      throw new InvalidQueryException("it is the table of a global index; query its base table");
    }
    return spyhop.table(name);
  }

  @Override
  public void getStream(CallContext context, Ticket ticket, ServerStreamListener listener) {
    take(context);
    boolean begun = false;
    try {
      begin(context, request(ticket.getBytes()), listener);
      begun = true;
    } finally {
      if (!begun) {
        places.give(context.peerIdentity());
      }
    }
  }

  private void begin(CallContext context, QueryRequest request, ServerStreamListener listener) {
    QueryStream stream =
        new QueryStream(listener, settings.limits(), request.query().timeout().orElseThrow());
    listener.setOnCancelHandler(stream::cancel);
    listener.setOnReadyHandler(stream::ready);
    String place = place(request) + as(context);
    running.add(stream);
    try {
      threads.execute(() -> run(stream, context, place, request, listener));
    } catch (RejectedExecutionException e) {
      running.remove(stream);
      throw FlightErrors.of(place, new IOException("the gateway ends", e));
    }
  }

  /** Whatever goes wrong is told to the client. */
  private void run(
      QueryStream stream,
      CallContext context,
      String place,
      QueryRequest request,
      ServerStreamListener listener) {
    Optional<FlightRuntimeException> failure = Optional.empty();
    try (UserClients.Lease client = clients.of(user(context));
        BufferAllocator own = allocator.newChildAllocator(place, 0, settings.limits().share())) {
      stream.run(Answer.of(table(client.spyhop(), request.table()), request), own);
    } catch (Throwable e) { // a client that is told nothing waits for ever
      failure = Optional.of(stream.isCancelled() ? cancelled(place) : FlightErrors.of(place, e));
    } finally {
      running.remove(stream);
      places.give(context.peerIdentity());
    }
    failure.ifPresentOrElse(listener::error, listener::completed);
  }

  private static FlightRuntimeException cancelled(String place) {
    return CallStatus.UNAVAILABLE
        .withDescription(place + ": the gateway ends, or the client went away")
        .toRuntimeException();
  }

  @Override
  public FlightInfo getFlightInfo(CallContext context, FlightDescriptor descriptor) {
    byte[] json =
        descriptor.isCommand()
            ? descriptor.getCommand()
            : QueryRequest.ofTable(String.join("/", descriptor.getPath()));
    Answer answer = counted(context, () -> bound(context, request(json)));
    // Without a location: where this was asked.
    List<FlightEndpoint> endpoints = List.of(new FlightEndpoint(new Ticket(json)));
    return new FlightInfo(Answer.schema(answer.columns()), descriptor, endpoints, UNKNOWN, UNKNOWN);
  }

  private Answer bound(CallContext context, QueryRequest request) {
    return ask(
        context, place(request), c -> Answer.of(table(c.spyhop(), request.table()), request));
  }

  @Override
  public void listFlights(
      CallContext context, Criteria criteria, StreamListener<FlightInfo> listener) {
    List<FlightInfo> flights =
        counted(context, () -> ask(context, "the tables", SpyhopProducer::flights));
    flights.forEach(listener::onNext);
    listener.onCompleted();
  }

  private static List<FlightInfo> flights(UserClients.Lease client) throws IOException {
    List<FlightInfo> flights = new ArrayList<>();
    for (TableName name : tables(client)) {
      flight(client.spyhop().table(name)).ifPresent(flights::add);
    }
    return flights;
  }

  private static List<TableName> tables(UserClients.Lease client) throws IOException {
    try (Admin admin = client.connection().getAdmin()) {
      return Arrays.stream(admin.listTableNames())
          .filter(t -> !IndexTable.isReserved(t))
          .sorted()
          .toList();
    }
  }

  /** Empty for a table without declared columns that the caller may know of. */
  private static Optional<FlightInfo> flight(IndexedTable table) throws IOException {
    try {
      List<AnswerColumn> columns = Answer.declared(table.currentTypes());
      return columns.size() == 1
          ? Optional.empty()
          : Optional.of(
              new FlightInfo(
                  Answer.schema(columns),
                  FlightDescriptor.path(table.name().getNameAsString()),
                  List.of(),
                  UNKNOWN,
                  UNKNOWN));
    } catch (TableNotFoundException | AccessDeniedException e) {
      return Optional.empty(); // dropped meanwhile, or not the caller's
    }
  }

  @Override
  public void listActions(CallContext context, StreamListener<ActionType> listener) {
    listener.onNext(EXPLAIN);
    listener.onNext(COUNT);
    listener.onCompleted();
  }

  @Override
  public void doAction(CallContext context, Action action, StreamListener<Result> listener) {
    String type = action.getType();
    if (!type.equals(EXPLAIN.getType()) && !type.equals(COUNT.getType())) {
      throw FlightErrors.of(
          "action '" + type + "'", new InvalidQueryException("there are explain and count"));
    }
    boolean counts = type.equals(COUNT.getType());
    String told = counted(context, () -> told(context, request(action.getBody()), counts));
    listener.onNext(new Result(told.getBytes(StandardCharsets.UTF_8)));
    listener.onCompleted();
  }

  private String told(CallContext context, QueryRequest request, boolean counts) {
    return ask(
        context,
        place(request),
        client -> {
          IndexedTable table = table(client.spyhop(), request.table());
          return counts ? count(table, request) : plan(table, request);
        });
  }

  private static String plan(IndexedTable table, QueryRequest request) throws IOException {
    return table.explain(Answer.of(table, request).query()).toText().stripTrailing();
  }

  private static String count(IndexedTable table, QueryRequest request) throws IOException {
    if (request.columns().isPresent()) {
      throw new InvalidQueryException("a count has no columns");
    }
    Aggregation count = Aggregation.of(Aggregate.count());
    return Long.toString(table.aggregate(request.query(), count).all().count(0));
  }

  /** Ends the queries that run; new ones are refused. */
  @Override
  public void close() {
    threads.shutdown();
    running.forEach(QueryStream::cancel);
  }

  /** Waits for what {@link #close} ends. */
  boolean awaitEnd(long millis) throws InterruptedException {
    return threads.awaitTermination(millis, TimeUnit.MILLISECONDS);
  }
}
