package io.spyhop.gateway;

import io.spyhop.client.Spyhop;
import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients of HBase, one for each user. A bounded number stays open: for another user, the one that
 * was asked for longest ago and has no call now is closed. Thread-safe.
 */
final class UserClients implements Closeable {
  /** Connects as a user. */
  @FunctionalInterface
  interface Connector {
    Connection connect(String user) throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(UserClients.class);

  private final Connector connector;
  private final int most;

  /** Guarded by this; the one that was asked for longest ago is first. */
  private final Map<String, Client> clients = new LinkedHashMap<>(16, 0.75f, true);

  /** Guarded by this. */
  private boolean closed;

  UserClients(Connector connector, int most) {
    this.connector = connector;
    this.most = most;
  }

  private static final class Client {
    private final Connection connection;
    private final Spyhop spyhop;
    private int calls;

    Client(Connection connection) {
      this.connection = connection;
      this.spyhop = Spyhop.connect(connection);
    }

    void close(String user) {
      spyhop.close();
      try {
        connection.close();
      } catch (IOException e) {
        LOG.warn("The connection of user '{}' could not be closed", user, e);
      }
    }
  }

  /** A client while a call uses it. */
  final class Lease implements Closeable {
    private final String user;
    private final Client client;

    private Lease(String user, Client client) {
      this.user = user;
      this.client = client;
      client.calls++;
    }

    Spyhop spyhop() {
      return client.spyhop;
    }

    Connection connection() {
      return client.connection;
    }

    /** The call has ended. */
    @Override
    public void close() {
      synchronized (UserClients.this) {
        client.calls--;
        if (closed && client.calls == 0) {
          client.close(user);
        }
      }
    }
  }

  /**
   * The client of a user, for a call.
   *
   * @throws TooManyException if each of the clients that may be open has a call
   * @throws IOException if HBase cannot be reached
   */
  Lease of(String user) throws IOException {
    Optional<Lease> open = open(user);
    if (open.isPresent()) {
      return open.get();
    }
    Client made = new Client(connector.connect(user)); // which may take its time
    boolean kept = false;
    try {
      Lease lease = keep(user, made);
      kept = lease.client == made;
      return lease;
    } finally {
      if (!kept) {
        made.close(user);
      }
    }
  }

  private synchronized Optional<Lease> open(String user) throws IOException {
    if (closed) {
      throw new IOException("the gateway ends");
    }
    return Optional.ofNullable(clients.get(user)).map(c -> new Lease(user, c));
  }

  private synchronized Lease keep(String user, Client made) throws IOException {
    Optional<Lease> open = open(user);
    if (open.isPresent()) {
      return open.get(); // another call was faster
    }
    makeRoom();
    clients.put(user, made);
    return new Lease(user, made);
  }

  private void makeRoom() {
    Iterator<Map.Entry<String, Client>> oldest = clients.entrySet().iterator();
    while (clients.size() >= most && oldest.hasNext()) {
      Map.Entry<String, Client> one = oldest.next();
      if (one.getValue().calls == 0) {
        oldest.remove();
        one.getValue().close(one.getKey());
      }
    }
    if (clients.size() >= most) {
      throw new TooManyException(
          most + " users have queries running, the most that this gateway serves at once");
    }
  }

  /** How many are open. */
  synchronized int size() {
    return clients.size();
  }

  /** Closes them, those in use when their last call ends; new calls are refused. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      clients.forEach(
          (user, client) -> {
            if (client.calls == 0) {
              client.close(user);
            }
          });
    }
  }
}
