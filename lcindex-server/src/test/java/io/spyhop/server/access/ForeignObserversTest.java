package io.spyhop.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All coprocessors of a table's descriptor but a few may decide what a caller sees. */
class ForeignObserversTest {
  private static boolean named(String coprocessor) throws IOException {
    return ForeignObservers.areNamedBy(
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setCoprocessor(coprocessor)
            .build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.hadoop.hbase.constraint.ConstraintProcessor",
        "org.apache.hadoop.hbase.coprocessor.AggregateImplementation",
        "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint",
        "io.spyhop.server.access.ForeignObserversTest$Endpoint",
        "io.spyhop.server.hook.SpyhopRegion"
      })
  void someAreKnownToHideNothing(String name) throws IOException {
    assertThat(named(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.example.Auditor",
        "org.apache.hadoop.hbase.coprocessor.example.ValueRewritingObserver",
        "org.apache.hadoop.hbase.constraint.ConstraintProcessorOfOurs",
        "org.apache.hadoop.hbase.security.access.AccessController",
        "org.apache.hadoop.hbase.security.visibility.VisibilityController"
      })
  void allOthersMayHide(String name) throws IOException {
    assertThat(named(name)).isTrue();
  }

  /** An endpoint of another project, which observes nothing. */
  public static final class Endpoint implements RegionCoprocessor {}

  /** HBase loads what these say for the table alone. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "hbase.coprocessor.region.classes",
        "hbase.coprocessor.user.region.classes",
        "hbase.coprocessor.enabled",
        "hbase.coprocessor.user.enabled"
      })
  void settingsOfTheTableMayLoadOthers(String key) {
    assertThat(
            ForeignObservers.areNamedBy(
                TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                    .setValue(key, "x")
                    .build()))
        .isTrue();
  }
}
