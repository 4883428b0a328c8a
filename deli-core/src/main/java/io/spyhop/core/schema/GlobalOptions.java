package io.spyhop.core.schema;

import java.util.Map;

/**
 * The options of a {@link IndexKind#GLOBAL} index: upkeep, repair, and places to split its table.
 */
public final class GlobalOptions extends IndexOptions {
  private final Maintenance maintenance;
  private final Repair repair;
  private final Boundaries boundaries;

  GlobalOptions(Maintenance maintenance, Repair repair, Boundaries boundaries) {
    this.maintenance = maintenance;
    this.repair = repair;
    this.boundaries = boundaries;
  }

  /** How writes keep the index. */
  public Maintenance maintenance() {
    return maintenance;
  }

  /** How flushes and compactions repair the index. */
  public Repair repair() {
    return repair;
  }

  /** Where regions of the index's table may begin. */
  public Boundaries boundaries() {
    return boundaries;
  }

  @Override
  public IndexKind kind() {
    return IndexKind.GLOBAL;
  }

  @Override
  BloomSize usualBloom() {
    return BloomSize.OFF;
  }

  @Override
  void write(Map<String, String> parts) {
    parts.put("maintenance", maintenance.name());
    parts.put("repair", repair.name());
    if (boundaries != Boundaries.VALUES) {
      parts.put("boundaries", boundaries.name());
    }
  }

  @Override
  void copyTo(IndexDefinition.Builder builder) {
    builder.maintenance(maintenance).repair(repair).boundaries(boundaries);
  }

  @Override
  String shown(int flags) {
    return " maintenance="
        + maintenance
        + " repair="
        + repair
        + (boundaries == Boundaries.VALUES ? "" : " boundaries=" + boundaries);
  }
}
