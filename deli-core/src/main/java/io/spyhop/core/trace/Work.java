package io.spyhop.core.trace;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A piece of work that traces show as a span. It knows names and counts; no value, row key or
 * literal is ever an attribute, nor is the message of an exception, which may hold one. Without an
 * OpenTelemetry SDK in the JVM, or for a trace that is not sampled, it does nothing; callers begin
 * one for a query, a page or a batch, never for a row. Thread-safe.
 */
public final class Work implements AutoCloseable {
  private static final String SCOPE = "io.spyhop";
  private static final String PREFIX = "spyhop.";
  private static final String PARENT = "traceparent";
  private static final int MOST_CARRIED = 64;
  private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

  /** One header from a text. */
  private static final TextMapGetter<String> TEXT =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(String text) {
          return List.of(PARENT);
        }

        @Override
        public String get(String text, String key) {
          return key.equals(PARENT) ? text : null;
        }
      };

  private static final Work NONE = new Work(Span.getInvalid(), Context.root());

  /** Kinds of work, which are in the names of spans. */
  public enum Kind {
    /** A query of a client, from its first row to its end. */
    QUERY("spyhop.query"),
    /** A query in one region, from the opening of its scanner to its end. */
    REGION("spyhop.region"),
    /** Reading an index: the candidates of a region, or a page of a global index's entries. */
    INDEX_READ("spyhop.index.read"),
    /** Reading rows again that an index has named. */
    REREAD("spyhop.reread"),
    /** Writing the entries of one base write to a global index. */
    ENTRY_WRITE("spyhop.entry.write"),
    /** Looking at entries that seem obsolete, and deleting those that are. */
    REPAIR("spyhop.repair");

    private final String span;

    Kind(String span) {
      this.span = span;
    }

    /** The name of its spans. */
    public String span() {
      return span;
    }
  }

  private final Span span;
  private final Context context;

  private Work(Span span, Context context) {
    this.span = span;
    this.context = context;
  }

  /** Begins, below what the current thread does. */
  public static Work begin(Kind kind) {
    return begin(kind, Context.current());
  }

  /**
   * Begins, below what was {@link #carried} here; otherwise as the other method.
   *
   * @param carried null for nothing; what is not one is nothing
   */
  public static Work begin(Kind kind, byte[] carried) {
    if (carried == null || carried.length > MOST_CARRIED) {
      return begin(kind);
    }
    String text = new String(carried, StandardCharsets.US_ASCII);
    return begin(kind, W3C.extract(Context.current(), text, TEXT));
  }

  /**
   * What the current thread's work is known by to another machine, as the text of W3C's header
   * {@code traceparent}; empty if nothing is traced. HBase's client carries the work in its calls,
   * but hands scans to a pool of threads of its own, which know of none.
   */
  public static Optional<byte[]> carried() {
    if (Context.current() == Context.root()) {
      return Optional.empty();
    }
    Map<String, String> headers = new HashMap<>();
    W3C.inject(Context.current(), headers, Map::put);
    return Optional.ofNullable(headers.get(PARENT))
        .map(text -> text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Begins, below this work, whatever the current thread does. */
  public Work beginPart(Kind kind) {
    return this == NONE ? begin(kind) : begin(kind, context);
  }

  private static Work begin(Kind kind, Context parent) {
    Span span =
        GlobalOpenTelemetry.getTracer(SCOPE).spanBuilder(kind.span).setParent(parent).startSpan();
    return span.isRecording() ? new Work(span, parent.with(span)) : NONE;
  }

  /** Whether it is recorded; if not, attributes need not be looked up. */
  public boolean isRecorded() {
    return this != NONE;
  }

  /** Notes a name, such as that of a table; never a value. */
  public Work name(String key, String name) {
    if (isRecorded()) {
      span.setAttribute(PREFIX + key, name);
    }
    return this;
  }

  /** Notes a count. */
  public Work count(String key, long count) {
    if (isRecorded()) {
      span.setAttribute(PREFIX + key, count);
    }
    return this;
  }

  /** Has what the current thread does next belong to this work, until the scope is closed. */
  @SuppressWarnings("MustBeClosedChecker") // it is the caller's to close
  public Scope inThisThread() {
    return isRecorded() ? context.makeCurrent() : Scope.noop();
  }

  /** A task that belongs to what the current thread does, whichever thread runs it. */
  public static Runnable inAnyThread(Runnable task) {
    Context current = Context.current();
    return current == Context.root() ? task : current.wrap(task);
  }

  /** Notes that it failed, and by what kind of exception. */
  public void failed(Throwable failure) {
    if (isRecorded()) {
      span.setStatus(StatusCode.ERROR, failure.getClass().getSimpleName());
    }
  }

  /** Ends; what comes later has no effect. */
  @Override
  public void close() {
    span.end();
  }
}
