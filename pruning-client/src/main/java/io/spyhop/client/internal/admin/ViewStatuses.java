package io.spyhop.client.internal.admin;

import io.spyhop.client.Diagnosis.Finding;
import io.spyhop.client.ViewStatus;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionViews;
import io.spyhop.core.schema.ViewOption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Collects the status of tables' sorted views. Thread-safe. */
public final class ViewStatuses {
  private static final String REGION_CLASS = "io.spyhop.server.view.store.ViewRegion";
  private static final String NO_REGION_CLASS =
      "hbase.hregion.impl of its server is not " + REGION_CLASS;

  private final RegionCalls regions;

  /** Asks through a connection, which stays the caller's. */
  public ViewStatuses(Connection connection) {
    regions = new RegionCalls(connection);
  }

  /** The families of a table that have the option, whether or not there can be views of them. */
  private static List<ColumnFamilyDescriptor> families(TableDescriptor table) {
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    for (ColumnFamilyDescriptor f : table.getColumnFamilies()) {
      if (ViewOption.isOn(f)) {
        families.add(f);
      }
    }
    return families;
  }

  /** Whether there is anything to say of a table. */
  static boolean areAsked(TableDescriptor table) {
    return !families(table).isEmpty();
  }

  /** One for each region and each family that has the option, in row order. */
  public List<ViewStatus> of(TableDescriptor table) throws IOException {
    List<ColumnFamilyDescriptor> families = families(table);
    if (families.isEmpty()) {
      return List.of();
    }
    TableName name = table.getTableName();
    List<ViewStatus> all = new ArrayList<>();
    for (RegionAnswer<RegionViews> answer :
        regions.ask(name, RegionRequest.of(RegionRequest.Kind.VIEWS), RegionViews::decode)) {
      families.forEach(f -> all.add(status(answer, f)));
    }
    return all;
  }

  private static ViewStatus status(
      RegionAnswer<RegionViews> answer, ColumnFamilyDescriptor family) {
    String name = family.getNameAsString();
    if (answer.answer().isEmpty()) {
      return without(answer, name, ("it does not answer " + answer.failure()).strip());
    }
    Optional<RegionViews.View> view =
        answer.answer().get().views().stream().filter(v -> v.family().equals(name)).findFirst();
    if (view.isEmpty()) {
      return without(answer, name, ViewOption.refusal(family).orElse(NO_REGION_CLASS));
    }
    RegionViews.View v = view.get();
    return new ViewStatus(
        answer.region(),
        answer.server(),
        start(answer),
        name,
        v.hfiles(),
        v.inView(),
        v.cells(),
        v.bytes(),
        v.isPending(),
        v.unused(),
        v.damaged(),
        v.lastError(),
        true);
  }

  private static ViewStatus without(RegionAnswer<?> answer, String family, String why) {
    return new ViewStatus(
        answer.region(),
        answer.server(),
        start(answer),
        family,
        0,
        0,
        0,
        0,
        false,
        0,
        0,
        why,
        false);
  }

  private static String start(RegionAnswer<?> answer) {
    return Bytes.toStringBinary(answer.location().getRegion().getStartKey());
  }

  /** What is wrong with the views of a table that is enabled: where there can be none. */
  List<Finding> findings(TableDescriptor table) throws IOException {
    String where = "table " + table.getTableName();
    List<Finding> findings = new ArrayList<>();
    for (ColumnFamilyDescriptor f : families(table)) {
      ViewOption.refusal(f)
          .ifPresent(
              why ->
                  findings.add(
                      new Finding(
                          where,
                          "family '" + f.getNameAsString() + "' has SORTED_VIEW in vain: " + why,
                          "change the family, or switch its views off")));
    }
    if (findings.isEmpty()) {
      Map<String, Long> without =
          of(table).stream()
              .filter(s -> s.problem().equals(NO_REGION_CLASS))
              .collect(
                  Collectors.groupingBy(ViewStatus::server, TreeMap::new, Collectors.counting()));
      without.forEach(
          (server, count) ->
              findings.add(
                  new Finding(
                      where,
                      "SORTED_VIEW is in vain in "
                          + count
                          + (count == 1 ? " region" : " regions")
                          + " on "
                          + server,
                      "set hbase.hregion.impl there to "
                          + REGION_CLASS
                          + " (conf/hbase-site-spyhop.xml) and restart the server")));
    }
    return findings;
  }
}
