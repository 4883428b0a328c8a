package io.spyhop.server.index.local;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Condition;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.server.index.local.RecordRequest.Narrowing;
import io.spyhop.server.index.local.RecordRequest.Rival;
import io.spyhop.server.index.local.column.BlockHashes;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.HashedRows;
import io.spyhop.server.index.local.column.RowBits;
import io.spyhop.server.index.local.column.RowPairs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.common.hash.PrimitiveSink;

/**
 * Finds the rows of a block of an HFile that may match, by its columnar files. Not thread-safe.
 *
 * <p>A row is found if some version of the driving column has a key in range. Then the whole
 * predicate narrows: of each column the newest HFile that has it in the row decides, and a
 * condition may as well be true by what a memstore has. A condition is left to be true of a row
 *
 * <ul>
 *   <li>that has several versions of a column, delete markers or tags in one of the HFiles;
 *   <li>that has the column in another HFile, too, whose cells are neither all newer nor all older;
 *   <li>where a column has no columnar file.
 * </ul>
 */
final class ColumnMatcher {
  private final HFileColumns own;
  private final KeyRanges keys;
  private final BoundPredicate predicate;
  private final boolean newestOnly;
  private final Optional<Narrowing> given;

  /** The same; empty where it is not known which rows HFiles share. */
  private final Optional<Narrowing> narrowing;

  /** The other HFiles that share rows, the newest first. */
  private final List<RivalRows> rivals = new ArrayList<>();

  /** What files say without memstores; null without narrowing. */
  private final KnownMatches.InFiles known;

  /**
   * @param driving the file of the driving index
   */
  ColumnMatcher(ColumnSource driving, RecordRequest request) throws IOException {
    this.keys = request.keys();
    this.predicate = request.predicate();
    this.newestOnly = request.newestOnly();
    this.own =
        new HFileColumns(
            request.hfile(),
            request.rows().orElseThrow(),
            driving,
            request.narrowing().map(Narrowing::beside).orElse(List.of()),
            request);
    request.narrowing().ifPresent(n -> n.shared().asked());
    boolean shared =
        request.narrowing().isPresent() && addRivals(request.narrowing().get(), request);
    this.given = request.narrowing();
    this.narrowing = shared ? given : Optional.empty();
    this.known = narrowing.map(n -> n.condition().in(keys, this::identify)).orElse(null);
  }

  private void identify(PrimitiveSink files) {
    own.identify(files);
    rivals.forEach(r -> r.identify(files));
  }

  /**
   * @return false if there is no room for the rows in common
   */
  private boolean addRivals(Narrowing with, RecordRequest request) throws IOException {
    List<HFileColumns> others = new ArrayList<>();
    for (Rival r : with.rivals()) {
      others.add(new HFileColumns(r.hfile(), r.rows(), r.driving(), r.beside(), request));
    }
    for (int i = 0; i < others.size(); i++) {
      Rival r = with.rivals().get(i);
      HFileColumns other = others.get(i);
      boolean ordered = r.seen() && others.stream().allMatch(o -> o == other || isApart(o, other));
      RivalRows.Age age = ordered ? age(other) : RivalRows.Age.UNKNOWN;
      Optional<RowPairs> pairs =
          with.shared()
              .with(r.shared(), awaited -> PairFinder.find(own.rows(), other.rows(), () -> false));
      if (pairs.isEmpty()) {
        return false;
      }
      rivals.add(new RivalRows(other, pairs.get(), age, r.seen(), request));
    }
    rivals.sort(Comparator.comparingLong(RivalRows::oldest).reversed());
    return true;
  }

  private RivalRows.Age age(HFileColumns other) {
    if (other.times().isAfter(own.times())) {
      return RivalRows.Age.NEWER;
    }
    return own.times().isAfter(other.times()) ? RivalRows.Age.OLDER : RivalRows.Age.UNKNOWN;
  }

  private static boolean isApart(HFileColumns one, HFileColumns other) {
    return one.times().isAfter(other.times()) || other.times().isAfter(one.times());
  }

  /** The rows of a block that may match. */
  MatchedRows match(int block) throws IOException {
    long[] left = RowBits.none(own.rows().rows(block));
    if (given.isPresent()) {
      addMembers(block, given.get().memory().leftToFiles(), left);
    }
    if (narrowing.isPresent()) {
      return narrowed(block, left, narrowing.get().memory());
    }
    addDriven(block, left);
    return new MatchedRows(block, left, null, null);
  }

  /** Adds the rows that the driving column finds. */
  private void addDriven(int block, long[] out) throws IOException {
    own.values(block).addMatching(keys, out);
  }

  /** The files of the HFile itself. */
  HFileColumns own() {
    return own;
  }

  /**
   * The rows of a block of which it is certain that they match, and known which values they have in
   * some columns: no other source has them, nor are there older versions, delete markers or tags.
   */
  long[] certain(MatchedRows matched, List<BoundColumn> asked) throws IOException {
    if (!matched.isNarrowed() || !own.hasAll(asked)) {
      return new long[matched.found().length];
    }
    int block = matched.block();
    long[] rows = matched.found().clone();
    RowBits.and(rows, matched.alone());
    own.values(block).removeComplex(rows);
    rows =
        predicate.rowsOf(rows, (condition, among, out) -> addCertain(block, condition, among, out));
    for (ColumnBlock values : own.values(asked, block)) {
      values.retainTold(rows);
    }
    return rows;
  }

  private void addCertain(int block, Condition condition, long[] among, long[] out)
      throws IOException {
    int column = condition.column();
    if (!own.has(column)) {
      return;
    }
    ColumnBlock values = own.values(column, block);
    ValueCodec codec = predicate.columns().get(column).type().codec();
    values.addCertain(
        condition.keys(),
        condition.isTrueWithin(),
        key -> condition.isTrueOf(codec.storedOf(key)),
        among,
        out);
    if (condition.whenAbsent()) {
      values.addAbsent(out);
    }
  }

  /**
   * Adds to a row of a block what others have of it.
   *
   * @return whether no other source has anything besides; false if unknown
   */
  boolean complete(WholeRow row, MatchedRows matched, int number) throws IOException {
    if (!matched.isNarrowed()) {
      return false;
    }
    boolean all = true;
    for (RivalRows r : matched.isAlone(number) ? List.<RivalRows>of() : rivals) {
      all &= r.addTo(row, matched.block(), number);
    }
    if (matched.isInMemory(number)) {
      narrowing.get().memory().addTo(row, newestOnly);
    }
    return all;
  }

  /** Cells that were read are not needed any more. */
  void shipped() {
    rivals.forEach(RivalRows::shipped);
  }

  /** Keeps what was found, and gives all blocks back. */
  void close() {
    if (known != null) {
      known.end();
    }
    rivals.forEach(RivalRows::close);
  }

  /**
   * Those of which the whole predicate may be true. What is known by files holds of all rows that
   * no memstore has.
   *
   * @param left rows that memstores leave to HFiles
   */
  private MatchedRows narrowed(int block, long[] left, MemoryRows memory) throws IOException {
    KnownMatches.Matches before = known.get(block);
    long[] driven = left.clone();
    if (before == null) {
      addDriven(block, driven);
    } else {
      RowBits.or(driven, before.driven());
    }
    long[] inMemory = left.clone();
    addMembers(block, memory.all(), driven, inMemory);
    long[] found = narrowed(block, before == null ? driven : inMemory, inMemory, memory);
    if (before != null) {
      long[] ofFiles = before.found();
      RowBits.andNot(ofFiles, inMemory);
      RowBits.or(found, ofFiles);
    } else if (RowBits.isEmpty(inMemory)) {
      known.put(block, driven, found);
    }
    return new MatchedRows(block, found, alone(block, inMemory), inMemory);
  }

  private long[] narrowed(int block, long[] some, long[] inMemory, MemoryRows memory)
      throws IOException {
    if (RowBits.isEmpty(some)) {
      return some.clone();
    }
    return predicate.rowsOf(
        some,
        (condition, among, out) -> {
          judge(block, condition, among, out);
          long[] both = among.clone();
          RowBits.and(both, inMemory);
          if (!RowBits.isEmpty(both)) {
            addMembers(block, memory.of(condition), both, out);
          }
        });
  }

  private long[] alone(int block, long[] inMemory) {
    long[] alone = inMemory.clone();
    for (RivalRows r : rivals) {
      long[] shared = r.rows(block);
      if (shared != null) {
        RowBits.or(alone, shared);
      }
    }
    for (int w = 0; w < alone.length; w++) {
      alone[w] = ~alone[w];
    }
    return alone;
  }

  /** Adds the rows of a block that are in a set. */
  private void addMembers(int block, HashedRows set, long[] out) throws IOException {
    if (!set.isEmpty()) {
      BlockHashes hashes = own.rows().hashes(block);
      for (int row = 0; row < hashes.rows(); row++) {
        if (set.contains(hashes.of(row))) {
          RowBits.set(out, row);
        }
      }
    }
  }

  /** Adds those of some rows that are in a set. */
  private void addMembers(int block, HashedRows set, long[] some, long[] out) throws IOException {
    if (!set.isEmpty() && !RowBits.isEmpty(some)) {
      BlockHashes hashes = own.rows().hashes(block);
      for (int row = RowBits.next(some, 0); row >= 0; row = RowBits.next(some, row + 1)) {
        if (set.contains(hashes.of(row))) {
          RowBits.set(out, row);
        }
      }
    }
  }

  /** Adds the rows of which a condition may be true by what HFiles have. */
  private void judge(int block, Condition condition, long[] among, long[] out) throws IOException {
    int column = condition.column();
    KeyRanges wanted = condition.keys();
    boolean whenAbsent = condition.whenAbsent();
    if (!own.has(column)) {
      RowBits.or(out, among);
      return;
    }
    long[] decided = new long[out.length];
    for (RivalRows r : rivals) {
      if (r.age() != RivalRows.Age.OLDER) {
        r.judge(block, among, column, wanted, whenAbsent, decided, out);
      }
    }
    ColumnBlock values = own.values(column, block);
    long[] matching = new long[out.length];
    values.addMatching(wanted, among, matching);
    for (int w = 0; w < out.length; w++) {
      out[w] |= matching[w] & ~decided[w];
    }
    values.addComplex(out);
    values.addPresent(decided);
    for (RivalRows r : rivals) {
      if (r.age() == RivalRows.Age.OLDER) {
        r.judge(block, among, column, wanted, whenAbsent, decided, out);
      }
    }
    for (int w = 0; whenAbsent && w < out.length; w++) {
      out[w] |= ~decided[w];
    }
  }
}
