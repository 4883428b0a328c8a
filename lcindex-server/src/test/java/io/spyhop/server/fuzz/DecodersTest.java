package io.spyhop.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * All code that reads bytes or text of unknown origin is fuzzed: no code unit calls what reads
 * parts of them unless a registered decoder calls it, or it is named here with a reason.
 */
class DecodersTest {
  /** What takes bytes or text apart. */
  private static final Pattern PARTS =
      Pattern.compile(
          "io\\.spyhop\\.core\\.wire\\.Frame\\.(decode|read\\w*)"
              + "|java\\.io\\.(DataInput|DataInputStream|FilterInputStream)\\.read\\w*"
              + "|org\\.apache\\.hadoop\\.fs\\.FSDataInputStream\\.readU\\w*"
              + "|org\\.apache\\.hadoop\\.hbase\\.util\\.Bytes\\.(to(Int|Long|Short|Double|Float)"
              + "|readAsVLong|readAsInt|toBytesBinary)"
              + "|org\\.apache\\.hadoop\\.hbase\\.util\\.OrderedBytes\\.(decode\\w+|skip)"
              + "|java\\.lang\\.(Integer|Long|Double|Float)\\.parse\\w+"
              + "|java\\.nio\\.ByteBuffer\\.get(Int|Long|Short|Char)"
              + "|java\\.net\\.URLDecoder\\.decode");

  /** What is a decoder by its name alone. */
  private static final Pattern NAMES = Pattern.compile("decode\\w*|parseFrom|readFrom");

  /** Code that reads parts of bytes which are not of unknown origin. */
  private static final Map<String, String> NO_DECODERS =
      Map.ofEntries(
          Map.entry("io.spyhop.core.wire.Frame", "what decoders are made of"),
          Map.entry("io.spyhop.client.internal.query.OwnScan", "names that the client has printed"),
          Map.entry("io.spyhop.client.BucketedTable", "a number that HBase has added up"),
          Map.entry("io.spyhop.client.QueryBinder", "names that the program's own user gives"),
          Map.entry("io.spyhop.client.internal.plan.Projection", "names that its own user gives"),
          Map.entry("io.spyhop.client.Consistency", "text of the program's own user"),
          Map.entry(
              "io.spyhop.client.internal.global.IndexRead", "a position; its length is looked at"),
          Map.entry(
              "io.spyhop.server.index.local.column.Decimals", "keys that were made of numbers"),
          Map.entry(
              "io.spyhop.server.index.local.RecordBuffer", "lengths that it has written to memory"),
          Map.entry(
              "io.spyhop.server.index.local.SortedEntries",
              "lengths that it has written to memory"),
          Map.entry("io.spyhop.server.index.local.IFileReader", "a file whose bytes were checked"),
          Map.entry(
              "io.spyhop.server.index.local.AscendingWalk", "a file whose bytes were checked"),
          Map.entry(
              "io.spyhop.server.query.candidate.CandidateOrder", "row keys, of whatever bytes"));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .withImportOption(l -> l.contains("spyhop") && !l.contains("/test/"))
          .importPackages("io.spyhop.core", "io.spyhop.client", "io.spyhop.server");

  @Test
  void everyReaderIsReachedByARegisteredDecoder() {
    Set<JavaCodeUnit> fuzzed = reached(registered());
    Set<String> missing =
        units()
            .filter(u -> targets(u).anyMatch(t -> PARTS.matcher(name(t)).matches()))
            .filter(u -> !fuzzed.contains(u) && !isNoDecoder(u.getOwner()))
            .map(JavaCodeUnit::getFullName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(missing).as("readers that Decoders does not list").isEmpty();
  }

  @Test
  void everyDecoderByNameIsRegistered() {
    Set<String> listed =
        Decoders.all().stream().map(Decoder::reader).collect(Collectors.toCollection(TreeSet::new));
    Set<String> missing =
        units()
            .filter(u -> NAMES.matcher(u.getName()).matches() && takesBytes(u))
            .filter(u -> !u.getModifiers().contains(JavaModifier.ABSTRACT))
            .filter(u -> ancestors(u).noneMatch(listed::contains))
            .map(u -> u.getOwner().getName() + "#" + u.getName())
            .filter(n -> !n.startsWith("io.spyhop.core.wire.Frame#"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(missing).as("decoders that Decoders does not list").isEmpty();
  }

  @Test
  void whatIsNoDecoderStillReads() {
    Set<String> reading =
        units()
            .filter(u -> targets(u).anyMatch(t -> PARTS.matcher(name(t)).matches()))
            .map(u -> u.getOwner().getName())
            .collect(Collectors.toSet());
    assertThat(reading).containsAll(NO_DECODERS.keySet());
  }

  /** The method, as it is listed, and what it overrides. */
  private static Stream<String> ancestors(JavaCodeUnit unit) {
    return Stream.concat(
            Stream.of(unit.getOwner()), unit.getOwner().getAllRawSuperclasses().stream())
        .map(c -> c.getName() + "#" + unit.getName());
  }

  private static Stream<JavaCodeUnit> units() {
    return CLASSES.stream().flatMap(c -> c.getCodeUnits().stream());
  }

  private static boolean isNoDecoder(JavaClass owner) {
    return NO_DECODERS.containsKey(owner.getName());
  }

  private static boolean takesBytes(JavaCodeUnit unit) {
    return unit.getRawParameterTypes().stream().anyMatch(p -> p.getName().equals("[B"));
  }

  private static String name(AccessTarget.CodeUnitAccessTarget target) {
    return target.getOwner().getName() + "." + target.getName();
  }

  private static Stream<AccessTarget.CodeUnitAccessTarget> targets(JavaCodeUnit unit) {
    return Stream.concat(
        unit.getCallsFromSelf().stream().map(c -> c.getTarget()),
        unit.getCodeUnitReferencesFromSelf().stream().map(r -> r.getTarget()));
  }

  private List<JavaCodeUnit> registered() {
    Set<String> listed = Decoders.all().stream().map(Decoder::reader).collect(Collectors.toSet());
    List<JavaCodeUnit> found =
        units().filter(u -> listed.contains(u.getOwner().getName() + "#" + u.getName())).toList();
    Set<String> names =
        found.stream()
            .map(u -> u.getOwner().getName() + "#" + u.getName())
            .collect(Collectors.toSet());
    assertThat(names).as("what Decoders lists is there").isEqualTo(listed);
    return found;
  }

  /** All that these call, and what overrides it, and so on. */
  private Set<JavaCodeUnit> reached(List<JavaCodeUnit> from) {
    Set<JavaCodeUnit> reached = new HashSet<>(from);
    Deque<JavaCodeUnit> next = new ArrayDeque<>(from);
    while (!next.isEmpty()) {
      targets(next.pop()).flatMap(this::resolved).filter(reached::add).forEach(next::push);
    }
    return reached;
  }

  private Stream<JavaCodeUnit> resolved(AccessTarget.CodeUnitAccessTarget target) {
    JavaClass owner = target.getOwner();
    Stream<JavaClass> owners =
        Stream.concat(
            Stream.concat(Stream.of(owner), owner.getAllSubclasses().stream()),
            owner.getAllRawSuperclasses().stream());
    return owners
        .flatMap(c -> c.getCodeUnits().stream())
        .filter(u -> u instanceof JavaMethod || u instanceof JavaConstructor)
        .filter(u -> u.getName().equals(target.getName()))
        .filter(
            u ->
                u.getRawParameterTypes().stream()
                    .map(JavaClass::getName)
                    .toList()
                    .equals(
                        target.getRawParameterTypes().stream().map(JavaClass::getName).toList()));
  }
}
