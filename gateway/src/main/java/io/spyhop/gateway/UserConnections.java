package io.spyhop.gateway;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Connects to HBase as the gateway's own user, or as another, as a proxy user of Hadoop.
 * Thread-safe.
 *
 * <p>Servers that do not let it stand for a user close the connection without a word, and HBase's
 * client tries again for minutes: the first call tries once.
 */
final class UserConnections implements UserClients.Connector {
  private static final byte[] ANY_ROW = {'s'};

  private final Configuration conf;
  private final Configuration once;

  UserConnections(Configuration conf) {
    this.conf = conf;
    this.once = new Configuration(conf);
    once.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
  }

  /**
   * Connects.
   *
   * @param user empty for the gateway's own
   * @throws AccessDeniedException if servers do not let the gateway's user stand for it
   */
  @Override
  public Connection connect(String user) throws IOException {
    if (user.isEmpty()) {
      return ConnectionFactory.createConnection(conf);
    }
    UserGroupInformation own = UserGroupInformation.getLoginUser();
    User proxy = User.create(UserGroupInformation.createProxyUser(user, own));
    // Every user may read where regions are.
    try (Connection probe = ConnectionFactory.createConnection(once, proxy);
        Table meta = probe.getTable(TableName.META_TABLE_NAME)) {
      meta.exists(new Get(ANY_ROW));
    } catch (IOException e) {
      throw isClosed(e) ? denied(own.getShortUserName(), user, e) : e;
    }
    return ConnectionFactory.createConnection(conf, proxy);
  }

  private static boolean isClosed(Throwable e) {
    return e != null && (e instanceof ConnectionClosedException || isClosed(e.getCause()));
  }

  private static AccessDeniedException denied(String own, String user, IOException e) {
    AccessDeniedException denied =
        new AccessDeniedException(
            "HBase's servers close connections of '"
                + own
                + "' as '"
                + user
                + "': allow them by hadoop.proxyuser."
                + own
                + ".hosts and .users or .groups in core-site.xml there; or ask again, if servers"
                + " are being restarted");
    denied.initCause(e);
    return denied;
  }
}
