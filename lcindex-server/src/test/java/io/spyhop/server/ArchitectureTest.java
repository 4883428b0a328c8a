package io.spyhop.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.spyhop.core.conf.CheckedSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.regionserver.BloomType;

/** Holds the directions of imports that ARCHITECTURE.md draws. */
@AnalyzeClasses(
    packages = {"io.spyhop", "org.apache.hadoop.hbase"},
    importOptions = {DoNotIncludeTests.class, ArchitectureTest.OwnClasses.class})
class ArchitectureTest {
  /** Leaves out HBase's own jars; of this module it takes all classes, whatever they are called. */
  static final class OwnClasses implements com.tngtech.archunit.core.importer.ImportOption {
    @Override
    public boolean includes(com.tngtech.archunit.core.importer.Location location) {
      return !location.isJar() || location.contains("/io/spyhop/");
    }
  }

  @ArchTest
  static final ArchRule CORE =
      layers(
          "io.spyhop.core",
          Map.ofEntries(
              Map.entry("conf", List.of()),
              Map.entry("wire", List.of()),
              Map.entry("io", List.of()),
              Map.entry("trace", List.of()),
              Map.entry("bucket", List.of()),
              Map.entry("value", List.of()),
              Map.entry("schema", List.of("value", "io")),
              Map.entry("predicate", List.of("value", "schema", "wire")),
              Map.entry("stats", List.of("value", "schema", "wire", "predicate")),
              Map.entry("global", List.of("value", "schema", "wire", "predicate")),
              Map.entry("aggregate", List.of("value", "schema", "wire", "predicate")),
              Map.entry("order", List.of("bucket", "value", "schema", "wire", "predicate")),
              Map.entry(
                  "protocol",
                  List.of("bucket", "schema", "wire", "predicate", "stats", "global", "order")),
              Map.entry("prune", List.of("schema", "predicate", "stats"))));

  /** The packages below the root know the types of the API, and the root knows all of them. */
  @ArchTest
  static final ArchRule CLIENT =
      layers(
          "io.spyhop.client",
          Map.of(
              "",
                  List.of(
                      "internal.exec",
                      "internal.bucket",
                      "internal.plan",
                      "internal.global",
                      "internal.admin",
                      "internal.order",
                      "internal.query",
                      "internal.prune"),
              "internal.exec", List.of(),
              "internal.order", List.of("", "internal.exec"),
              "internal.bucket", List.of("internal.exec"),
              "internal.plan", List.of("", "internal.exec"),
              "internal.global", List.of("", "internal.exec"),
              "internal.admin", List.of("", "internal.global"),
              "internal.query",
                  List.of(
                      "",
                      "internal.exec",
                      "internal.bucket",
                      "internal.plan",
                      "internal.global",
                      "internal.admin",
                      "internal.order",
                      "internal.prune"),
              "internal.prune", List.of("", "internal.exec", "internal.admin")));

  /** What every kind of index may use, and what only local ones, global ones and hooks do. */
  @ArchTest
  static final ArchRule SERVER =
      layers(
          "io.spyhop.server",
          Map.ofEntries(
              Map.entry("seal", List.of()),
              Map.entry("access", List.of()),
              Map.entry("bucket", List.of("ddl", "index")),
              Map.entry("runtime", List.of()),
              Map.entry("memory", List.of()),
              Map.entry("metrics", List.of("runtime")),
              Map.entry("view", List.of("memory")),
              Map.entry("view.store", List.of("view")),
              Map.entry(
                  "index.view",
                  List.of("index", "runtime", "metrics", "seal", "view", "view.store")),
              Map.entry("index", List.of()),
              Map.entry(
                  "index.stats",
                  List.of(
                      "index", "index.memstore", "access", "memory", "metrics", "runtime", "seal")),
              Map.entry("index.memstore", List.of("memory", "index.local.column")),
              Map.entry("index.local.column", List.of("view", "view.store")),
              Map.entry(
                  "index.local",
                  List.of("memory", "seal", "view", "view.store", "index.local.column")),
              Map.entry("index.local.directory", List.of("index.local", "seal")),
              Map.entry("index.local.remote", List.of("index.local")),
              Map.entry(
                  "index.local.upkeep",
                  List.of(
                      "access",
                      "memory",
                      "runtime",
                      "metrics",
                      "index",
                      "index.local",
                      "index.local.directory",
                      "index.local.remote",
                      "view",
                      "view.store")),
              Map.entry("index.global.entry", List.of()),
              Map.entry("index.global.opening", List.of("runtime")),
              Map.entry(
                  "index.global.repair",
                  List.of("index", "index.global.entry", "access", "memory", "runtime", "seal")),
              Map.entry(
                  "index.global",
                  List.of(
                      "index",
                      "access",
                      "memory",
                      "runtime",
                      "index.global.entry",
                      "index.global.opening",
                      "index.global.repair")),
              Map.entry("global", List.of("index.global")),
              Map.entry("query.report", List.of("access")),
              Map.entry(
                  "query.plan", List.of("metrics", "index.local", "index.memstore", "index.stats")),
              Map.entry(
                  "query.candidate",
                  List.of(
                      "access",
                      "memory",
                      "metrics",
                      "index",
                      "index.local",
                      "index.local.column",
                      "index.memstore",
                      "index.stats",
                      "view.store",
                      "query.plan",
                      "query.report")),
              Map.entry(
                  "query.scan",
                  List.of(
                      "access",
                      "memory",
                      "metrics",
                      "index.local",
                      "index.stats",
                      "view.store",
                      "query.plan",
                      "query.candidate",
                      "query.report")),
              Map.entry(
                  "query",
                  List.of(
                      "access",
                      "memory",
                      "metrics",
                      "index.local",
                      "index.stats",
                      "view.store",
                      "query.plan",
                      "query.scan",
                      "query.report")),
              Map.entry("ddl", List.of("index.global", "index.global.opening", "runtime", "seal")),
              Map.entry(
                  "hook",
                  List.of(
                      "access",
                      "bucket",
                      "memory",
                      "metrics",
                      "runtime",
                      "index",
                      "index.memstore",
                      "index.stats",
                      "index.local.remote",
                      "index.local.upkeep",
                      "index.global",
                      "index.global.repair",
                      "index.view",
                      "view.store",
                      "query",
                      "query.plan",
                      "query.scan",
                      "query.report",
                      "global",
                      "ddl"))));

  /**
   * Each package of a module with the packages that it may import, by what follows the module's
   * root. A package that is not named is an error: a new one needs a place.
   */
  private static ArchRule layers(String root, Map<String, List<String>> layers) {
    return classes()
        .that()
        .resideInAPackage(root + "..")
        .should(
            new ArchCondition<JavaClass>("import only what its layer may") {
              @Override
              public void check(JavaClass from, ConditionEvents events) {
                List<String> allowed = layers.get(layer(root, from));
                if (allowed == null) {
                  events.add(SimpleConditionEvent.violated(from, from + " is in no layer"));
                  return;
                }
                for (Dependency d : from.getDirectDependenciesFromSelf()) {
                  String to = layer(root, d.getTargetClass());
                  if (to != null && !to.equals(layer(root, from)) && !allowed.contains(to)) {
                    events.add(SimpleConditionEvent.violated(d, d.getDescription()));
                  }
                }
              }
            });
  }

  /** Null for a class of another module. */
  private static String layer(String root, JavaClass of) {
    String name = of.getPackageName();
    return name.equals(root)
        ? ""
        : name.startsWith(root + ".") ? name.substring(root.length() + 1) : null;
  }

  @ArchTest
  static final ArchRule CORE_AND_CLIENT_STAY_OUT_OF_THE_SERVER =
      noClasses()
          .that()
          .resideInAnyPackage("io.spyhop.core..", "io.spyhop.client..")
          .should()
          .dependOnClassesThat(
              JavaClass.Predicates.resideInAnyPackage(
                      "io.spyhop.server..",
                      "org.apache.hadoop.hbase.regionserver..",
                      "org.apache.hadoop.hbase.master..",
                      "org.apache.hadoop.hbase.coprocessor..")
                  // It is in hbase-client, whatever its package says.
                  .and(DescribedPredicate.not(JavaClass.Predicates.type(BloomType.class))));

  @ArchTest
  static final ArchRule CORE_STAYS_OUT_OF_THE_CLIENT =
      noClasses()
          .that()
          .resideInAPackage("io.spyhop.core..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.spyhop.client..");

  @ArchTest
  static final ArchRule SERVER_STAYS_OUT_OF_THE_CLIENT =
      noClasses()
          .that()
          .resideInAPackage("io.spyhop.server..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.spyhop.client..");

  /**
   * Region servers have HBase's libraries, of which only the relocated ones are sure to be there.
   */
  @ArchTest
  static final ArchRule NOTHING_IS_BUNDLED_WITH_THE_SERVER =
      noClasses()
          .that()
          .resideInAnyPackage("io.spyhop.core..", "io.spyhop.server..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.google.common..", "com.github..", "org.apache.commons..");

  @ArchTest
  static final ArchRule THREE_CLASSES_IN_HBASES_PACKAGES =
      classes()
          .that()
          .resideInAPackage("org.apache.hadoop.hbase..")
          .should()
          .haveNameMatching(
              "org\\.apache\\.hadoop\\.hbase\\..*\\.Spyhop(Access|Blocks|Cells)(\\$.*)?");

  /**
   * An iterator of HBase's throws a failed read as an unchecked exception: {@code next} does not.
   */
  @ArchTest
  static final ArchRule RESULT_SCANNERS_ARE_NOT_ITERATED =
      noClasses()
          .should()
          .callMethod(ResultScanner.class, "iterator")
          .orShould()
          .callMethod(ResultScanner.class, "forEach", Consumer.class);

  /** Packages, with those below them, whose types programs may meet in the client's API. */
  private static final List<String> OF_THE_API =
      List.of("java", "io.spyhop.core", "org.apache.hadoop.hbase", "org.apache.hadoop.conf");

  @ArchTest
  static final ArchRule PROGRAMS_MEET_NO_INSIDES_OF_THE_CLIENT =
      codeUnits()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage("io.spyhop.client")
          .and()
          .areDeclaredInClassesThat()
          .arePublic()
          .and()
          .arePublic()
          .should(
              new ArchCondition<JavaCodeUnit>("have types of the API alone") {
                @Override
                public void check(JavaCodeUnit unit, ConditionEvents events) {
                  Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream())
                      .flatMap(type -> type.getAllInvolvedRawTypes().stream())
                      .filter(type -> !isOfTheApi(type.getBaseComponentType()))
                      .map(type -> unit.getFullName() + " has " + type.getName())
                      .forEach(told -> events.add(SimpleConditionEvent.violated(unit, told)));
                }
              });

  private static boolean isOfTheApi(JavaClass type) {
    String its = type.getPackageName();
    return type.isPrimitive()
        || its.equals("io.spyhop.client")
        || OF_THE_API.stream().anyMatch(p -> its.equals(p) || its.startsWith(p + "."));
  }

  /** Those of HBase; of Spyhop only those of global searches, for which a client throws. */
  private static final Set<String> READ_OTHER_SETTINGS =
      Set.of(
          "DirectorySettings",
          "GlobalSettings",
          "HiddenBoundaries",
          "OwnScan",
          "ReadAhead",
          "Sealed",
          "ServerDirectory",
          "SideFiles",
          "SpyhopRegionServer",
          "SpyhopRpcSchedulerFactory",
          "ViewStore");

  /** A setting that is read otherwise stops a server when it is wrong. */
  @ArchTest
  static final ArchRule SETTINGS_ARE_CHECKED =
      noClasses()
          .that()
          .resideInAnyPackage("io.spyhop.core..", "io.spyhop.client..", "io.spyhop.server..")
          .and()
          .doNotHaveSimpleName(CheckedSettings.class.getSimpleName())
          .and(
              DescribedPredicate.describe(
                  "read Spyhop's settings", c -> !READ_OTHER_SETTINGS.contains(c.getSimpleName())))
          .should()
          .callMethodWhere(
              DescribedPredicate.describe(
                  "a configuration is read",
                  call ->
                      call.getTargetOwner().isAssignableTo(Configuration.class)
                          && call.getTarget().getName().startsWith("get")
                          && call.getTarget().getRawParameterTypes().stream()
                              .anyMatch(p -> p.isEquivalentTo(String.class))));

  @ArchTest
  static final ArchRule NO_CYCLES_BETWEEN_MODULES =
      slices().matching("io.spyhop.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule NO_CYCLES_IN_CORE =
      slices().matching("io.spyhop.core.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule NO_CYCLES_IN_THE_CLIENT =
      slices().matching("io.spyhop.client.internal.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule NO_CYCLES_IN_THE_SERVER =
      slices().matching("io.spyhop.server.(**)").should().beFreeOfCycles();
}
