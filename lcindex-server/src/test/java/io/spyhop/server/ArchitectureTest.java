package io.spyhop.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.apache.hadoop.hbase.regionserver.BloomType;

/** Who may import whom: the directions of ARCHITECTURE.md. */
@AnalyzeClasses(
    packages = {"io.spyhop", "org.apache.hadoop.hbase.regionserver"},
    importOptions = {DoNotIncludeTests.class, ArchitectureTest.OwnClasses.class})
class ArchitectureTest {
  /** Leaves out what HBase's own jars have in the same packages. */
  static final class OwnClasses implements com.tngtech.archunit.core.importer.ImportOption {
    @Override
    public boolean includes(com.tngtech.archunit.core.importer.Location location) {
      return location.contains("spyhop") || location.contains("Spyhop");
    }
  }

  @ArchTest
  static final ArchRule CORE_LAYERS =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.spyhop.core..")
          .layer("wire")
          .definedBy("io.spyhop.core.wire..")
          .layer("value")
          .definedBy("io.spyhop.core.value..")
          .layer("schema")
          .definedBy("io.spyhop.core.schema..")
          .layer("predicate")
          .definedBy("io.spyhop.core.predicate..")
          .layer("stats")
          .definedBy("io.spyhop.core.stats..")
          .layer("region")
          .definedBy("io.spyhop.core.region..")
          .layer("prune")
          .definedBy("io.spyhop.core.prune..")
          .whereLayer("wire")
          .mayNotAccessAnyLayer()
          .whereLayer("value")
          .mayNotAccessAnyLayer()
          .whereLayer("schema")
          .mayOnlyAccessLayers("value")
          .whereLayer("predicate")
          .mayOnlyAccessLayers("value", "schema", "wire")
          .whereLayer("stats")
          .mayOnlyAccessLayers("value", "schema", "wire", "predicate")
          .whereLayer("region")
          .mayOnlyAccessLayers("predicate", "wire", "value", "schema")
          .layer("global")
          .definedBy("io.spyhop.core.global..")
          .whereLayer("prune")
          .mayOnlyAccessLayers("predicate", "wire", "value", "schema", "region")
          .whereLayer("global")
          .mayOnlyAccessLayers("predicate", "wire", "value", "schema");

  @ArchTest
  static final ArchRule CLIENT_LAYERS =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.spyhop.client..")
          .layer("api")
          .definedBy("io.spyhop.client")
          .layer("exec")
          .definedBy("io.spyhop.client.exec..")
          .layer("plan")
          .definedBy("io.spyhop.client.plan..")
          .layer("global")
          .definedBy("io.spyhop.client.global..")
          .layer("admin")
          .definedBy("io.spyhop.client.admin..")
          .layer("prune")
          .definedBy("io.spyhop.client.prune..")
          .whereLayer("exec")
          .mayNotAccessAnyLayer()
          .whereLayer("plan")
          .mayOnlyAccessLayers("api", "exec")
          .whereLayer("global")
          .mayOnlyAccessLayers("api", "exec")
          .whereLayer("admin")
          .mayOnlyAccessLayers("api", "global")
          .whereLayer("prune")
          .mayOnlyAccessLayers("api", "exec", "admin");

  @ArchTest
  static final ArchRule SERVER_LAYERS =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.spyhop.server..")
          .layer("seal")
          .definedBy("io.spyhop.server.seal..")
          .layer("part")
          .definedBy("io.spyhop.server.part..")
          .layer("access")
          .definedBy("io.spyhop.server.access..")
          .layer("local")
          .definedBy("io.spyhop.server.local..")
          .layer("remote")
          .definedBy("io.spyhop.server.remote..")
          .layer("job")
          .definedBy("io.spyhop.server.job..")
          .layer("query")
          .definedBy("io.spyhop.server.query..")
          .layer("global")
          .definedBy("io.spyhop.server.global..")
          .layer("prune")
          .definedBy("io.spyhop.server.prune..")
          .layer("ddl")
          .definedBy("io.spyhop.server.ddl..")
          .layer("hook")
          .definedBy("io.spyhop.server.hook..")
          .whereLayer("seal")
          .mayNotAccessAnyLayer()
          .whereLayer("part")
          .mayNotAccessAnyLayer()
          .whereLayer("access")
          .mayNotAccessAnyLayer()
          .whereLayer("global")
          .mayOnlyAccessLayers("access", "seal")
          .whereLayer("local")
          .mayOnlyAccessLayers("seal")
          .whereLayer("remote")
          .mayOnlyAccessLayers("local")
          .whereLayer("job")
          .mayOnlyAccessLayers("access", "local", "remote", "prune")
          .whereLayer("query")
          .mayOnlyAccessLayers("access", "local", "job", "prune")
          .whereLayer("prune")
          .mayOnlyAccessLayers("local", "seal")
          .whereLayer("ddl")
          .mayOnlyAccessLayers("global")
          .whereLayer("hook")
          .mayNotBeAccessedByAnyLayer();

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

  @ArchTest
  static final ArchRule TWO_CLASSES_IN_HBASES_PACKAGES =
      classes()
          .that()
          .resideInAPackage("org.apache.hadoop.hbase..")
          .should()
          .haveNameMatching("org\\.apache\\.hadoop\\.hbase\\..*\\.Spyhop(Access|Blocks)");

  /** A new package needs a place among the layers above. */
  @ArchTest
  static final ArchRule EVERY_PACKAGE_HAS_A_LAYER =
      classes()
          .that()
          .resideInAnyPackage("io.spyhop.core..", "io.spyhop.client..", "io.spyhop.server..")
          .should()
          .resideInAnyPackage(
              "io.spyhop.core.wire..",
              "io.spyhop.core.value..",
              "io.spyhop.core.schema..",
              "io.spyhop.core.predicate..",
              "io.spyhop.core.stats..",
              "io.spyhop.core.region..",
              "io.spyhop.core.prune..",
              "io.spyhop.core.global..",
              "io.spyhop.client",
              "io.spyhop.client.exec..",
              "io.spyhop.client.plan..",
              "io.spyhop.client.global..",
              "io.spyhop.client.admin..",
              "io.spyhop.client.prune..",
              "io.spyhop.server.seal..",
              "io.spyhop.server.part..",
              "io.spyhop.server.access..",
              "io.spyhop.server.local..",
              "io.spyhop.server.remote..",
              "io.spyhop.server.job..",
              "io.spyhop.server.query..",
              "io.spyhop.server.global..",
              "io.spyhop.server.prune..",
              "io.spyhop.server.ddl..",
              "io.spyhop.server.hook..");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.spyhop.(*).(*)..").should().beFreeOfCycles();
}
