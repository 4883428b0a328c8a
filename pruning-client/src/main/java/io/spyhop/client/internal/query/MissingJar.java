package io.spyhop.client.internal.query;

import io.spyhop.client.SpyhopNotInstalledException;
import io.spyhop.client.internal.exec.UnknownFilter;
import io.spyhop.core.predicate.PredicateFilter;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Translates HBase's words for a class that is not found: a region server without Spyhop's jar
 * cannot read the filter of a query, and refuses it. Stateless.
 */
final class MissingJar {
  private static final Logger LOG = LoggerFactory.getLogger(MissingJar.class);

  private MissingJar() {}

  /**
   * The failure of a scan, named if it is this one.
   *
   * @param from where the region begins that was to be read next, or before it
   */
  static IOException named(
      IOException failure, Connection connection, TableName table, byte[] from) {
    if (!UnknownFilter.isBehind(failure, PredicateFilter.class)) {
      return failure;
    }
    SpyhopNotInstalledException named =
        new SpyhopNotInstalledException(
            server(connection, table, from)
                + " of table '"
                + table
                + "' lacks Spyhop's jar, without which it cannot read the condition of a query: put"
                + " the jar into HBase's lib/ there and restart it, or move its regions to servers"
                + " that have it");
    named.initCause(failure);
    return named;
  }

  private static String server(Connection connection, TableName table, byte[] from) {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      return "region server " + locator.getRegionLocation(from).getServerName();
    } catch (IOException e) {
      LOG.debug("Nobody says where a region of table {} is", table, e);
      return "a region server";
    }
  }
}
