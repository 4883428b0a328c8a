package io.spyhop.server.ddl;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.GlobalIndexRequest;
import io.spyhop.core.schema.IndexDefinition;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps some index tables in one region: the boundaries of others are values and row keys, and
 * HBase shows them to everybody, in hbase:meta, in its pages and in its logs. Thread-safe.
 */
final class HiddenBoundaries {
  private static final Logger LOG = LoggerFactory.getLogger(HiddenBoundaries.class);

  private static final List<String> COPROCESSORS =
      List.of(
          CoprocessorHost.REGION_COPROCESSOR_CONF_KEY,
          CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY,
          CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY);

  private final Configuration conf;

  /** By what the master's configuration says that regions have. */
  HiddenBoundaries(MasterServices master) {
    this(master.getConfiguration());
  }

  HiddenBoundaries(Configuration conf) {
    this.conf = conf;
  }

  /** Whether an index's table is one region: the index or its family asks for it, or labels do. */
  boolean areNeeded(TableDescriptor base, IndexDefinition index) {
    return IndexTable.mustHideBoundaries(base, index) || isLabelled(base);
  }

  /** Whether cells of a table may have labels that hide them. */
  private boolean isLabelled(TableDescriptor base) {
    Stream<String> everywhere =
        COPROCESSORS.stream().flatMap(key -> conf.getTrimmedStringCollection(key).stream());
    Stream<String> here =
        base.getCoprocessorDescriptors().stream().map(CoprocessorDescriptor::getClassName);
    return Stream.concat(everywhere, here).anyMatch(HiddenBoundaries::isLabels);
  }

  /** Configured names may have a priority and a path behind. */
  private static boolean isLabels(String configured) {
    String name = configured.split("\\|", 2)[0].trim();
    try {
      ClassLoader loader = HiddenBoundaries.class.getClassLoader();
      return VisibilityController.class.isAssignableFrom(Class.forName(name, false, loader));
    } catch (ClassNotFoundException | LinkageError e) {
      LOG.debug("Coprocessor {} is not a class of this server's own", name, e);
      return false;
    }
  }

  /** The descriptor of an index's table. */
  TableDescriptor descriptor(TableDescriptor base, IndexDefinition index) {
    return kept(IndexTable.descriptor(base, index), base, index);
  }

  /** The descriptor of an index's table that is there, with what its base table asks for by now. */
  TableDescriptor kept(TableDescriptor table, TableDescriptor base, IndexDefinition index) {
    boolean hides = IndexTable.hidesBoundaries(table) && IndexTable.isNeverSplit(table);
    return hides || !areNeeded(base, index) ? table : IndexTable.hidingBoundaries(table);
  }

  /**
   * A record of what is to be done, without split points where there must be none: they are values,
   * and would be in the journal, too. Clients may know nothing of labels.
   */
  DdlRecord settled(DdlRecord record, TableDescriptor base) {
    GlobalIndexRequest request = record.request();
    if (request.splits().isEmpty() || !areNeeded(base, request.index())) {
      return record;
    }
    LOG.info(
        "{}: its table is one region, and the {} split points that were asked for are dropped:"
            + " boundaries of regions would show values",
        record,
        request.splits().size());
    return new DdlRecord(
        record.kind(), new GlobalIndexRequest(request.table(), request.index(), List.of()));
  }
}
