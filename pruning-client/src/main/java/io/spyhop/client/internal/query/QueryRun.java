package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.global.OrderedSearch;
import io.spyhop.client.internal.prune.Part;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One query that runs: its rows, and its paths, which tell what was done for them. Not thread-safe.
 *
 * @param paths in the order in which they are tried
 * @param rows asks nothing before the first one is asked for
 */
public record QueryRun(List<QueryPath> paths, RowStream rows) {
  /** The path of a global index, if one can drive the query. */
  public Optional<GlobalIndexPath> global() {
    return path(GlobalIndexPath.class);
  }

  /** The path that leaves out regions, if some may be. */
  public Optional<PrunedPath> pruned() {
    return path(PrunedPath.class);
  }

  /** What was decided of each part of the table; empty where nothing could be left out. */
  public List<Part> parts() {
    return pruned().map(PrunedPath::parts).orElse(List.of());
  }

  /** What a global index said when it was asked for the first rows of its order, if one was. */
  public Optional<OrderedSearch.Answer> ordered() {
    return path(ValueOrderPath.class).flatMap(ValueOrderPath::answer);
  }

  private <P extends QueryPath> Optional<P> path(Class<P> kind) {
    return paths.stream()
        .flatMap(p -> Stream.concat(Stream.of(p), p.below().stream()))
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst();
  }
}
