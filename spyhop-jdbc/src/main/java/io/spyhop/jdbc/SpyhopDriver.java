package io.spyhop.jdbc;

import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.DriverVersion;
import org.apache.calcite.avatica.Handler;
import org.apache.calcite.avatica.HandlerImpl;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.Driver;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.client.Admin;

/**
 * The JDBC driver. It reads: tables are written through HBase.
 *
 * <p>Addresses are {@code jdbc:spyhop:}, with {@code hbase-site.xml} on the class path, or {@code
 * jdbc:spyhop:zookeeper=HOST:PORT}; further settings, separated by semicolons or as properties, are
 * {@code conf}, a directory with HBase's files of settings, and any setting of HBase or Spyhop by
 * its name. A namespace is a schema, and that of a new connection is {@code default}.
 *
 * <p>Thread-safe; each JDBC connection has a connection of HBase of its own.
 */
public final class SpyhopDriver extends Driver {
  /** What addresses begin with. */
  public static final String PREFIX = "jdbc:spyhop:";

  private final Map<Connection, Session> sessions = new ConcurrentHashMap<>();

  static {
    try {
      DriverManager.registerDriver(new SpyhopDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Registered already; for who asks it itself. */
  public SpyhopDriver() {}

  @Override
  protected String getConnectStringPrefix() {
    return PREFIX;
  }

  @Override
  protected String getFactoryClassName(JdbcVersion version) {
    return UncachedFactory.class.getName();
  }

  @Override
  public CalcitePrepare createPrepare() {
    return new SpyhopPrepare();
  }

  @Override
  protected DriverVersion createDriverVersion() {
    return new DriverVersion("Spyhop JDBC driver", "0.2.0", "Spyhop", "0.2.0", true, 0, 2, 0, 2);
  }

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    Settings settings = Settings.of(url.substring(PREFIX.length()), info);
    Connection connection = super.connect(PREFIX, settings.ofCalcite());
    boolean done = false;
    try {
      Session session = Session.open(settings);
      sessions.put(connection, session);
      fill(connection.unwrap(CalciteConnection.class), session);
      done = true;
      return Told.of(connection);
    } catch (IOException | UncheckedIOException e) {
      throw new SQLException("HBase cannot be reached: " + e.getMessage(), e);
    } finally {
      if (!done) {
        connection.close();
      }
    }
  }

  private static void fill(CalciteConnection connection, Session session)
      throws IOException, SQLException {
    SchemaPlus root = connection.getRootSchema();
    try (Admin admin = session.connection().getAdmin()) {
      for (String namespace : admin.listNamespaces()) {
        var tables = new NamespaceTables(session.connection(), session.spyhop(), namespace);
        root.add(namespace, SpyhopSchema.of(tables));
      }
    }
    root.add("KEY_BYTES", ScalarFunctionImpl.create(KeyFunctions.class, "bytes"));
    root.add("KEY_TEXT", ScalarFunctionImpl.create(KeyFunctions.class, "text"));
    connection.setSchema(NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR);
    connection.setReadOnly(true);
  }

  @Override
  protected Handler createHandler() {
    return new HandlerImpl() {
      @Override
      public void onConnectionClose(AvaticaConnection connection) {
        Session session = sessions.remove(connection);
        if (session != null) {
          session.close();
        }
      }
    };
  }

  /** The HBase behind a connection. */
  private record Session(org.apache.hadoop.hbase.client.Connection connection, Spyhop spyhop) {
    static Session open(Settings settings) throws IOException, SQLException {
      org.apache.hadoop.hbase.client.Connection connection =
          org.apache.hadoop.hbase.client.ConnectionFactory.createConnection(settings.ofHBase());
      return new Session(connection, Spyhop.connect(connection));
    }

    void close() {
      spyhop.close();
      try {
        connection.close();
      } catch (IOException e) {
        throw new UncheckedIOException("the connection to HBase does not close", e);
      }
    }
  }
}
