package io.spyhop.gateway;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.Location;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that answers queries over Arrow Flight, as the user who runs it or, where its settings
 * say so, as the users of their tokens (proxy users of Hadoop). Thread-safe.
 */
public final class Gateway implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

  /** Of a query, which is text. */
  private static final int MAX_REQUEST = 1 << 20;

  /** Of batches that gRPC holds until the client takes them. */
  private static final int MAX_UNTAKEN = 4 << 20;

  private static final int MAX_HEADERS = 16 << 10;
  private static final int MAX_PEM = 1 << 20;
  private static final long END_MILLIS = 10_000;

  private final BufferAllocator allocator;
  private final UserClients clients;
  private final SpyhopProducer producer;
  private final FlightServer server;

  private Gateway(
      BufferAllocator allocator,
      UserClients clients,
      SpyhopProducer producer,
      FlightServer server) {
    this.allocator = allocator;
    this.clients = clients;
    this.producer = producer;
    this.server = server;
  }

  /**
   * Starts to listen.
   *
   * @param conf of the clients of HBase, one for each user that asks; the login is the caller's
   * @throws IOException if the address cannot be listened at, or a file of TLS cannot be used
   */
  public static Gateway start(GatewaySettings settings, Configuration conf) throws IOException {
    BufferAllocator allocator = new RootAllocator(settings.limits().memory());
    UserClients clients = new UserClients(new UserConnections(conf), settings.limits().users());
    SpyhopProducer producer = new SpyhopProducer(clients, settings, allocator);
    boolean started = false;
    try {
      FlightServer server = server(settings, allocator, producer).start();
      started = true;
      return new Gateway(allocator, clients, producer, server);
    } finally {
      if (!started) {
        producer.close();
        clients.close();
        allocator.close();
      }
    }
  }

  private static FlightServer server(
      GatewaySettings settings, BufferAllocator allocator, SpyhopProducer producer)
      throws IOException {
    String host = settings.address().getAddress().getHostAddress();
    int port = settings.address().getPort();
    Location location =
        settings.tls().isPresent()
            ? Location.forGrpcTls(host, port)
            : Location.forGrpcInsecure(host, port);
    FlightServer.Builder builder =
        FlightServer.builder(allocator, location, producer)
            .maxInboundMessageSize(MAX_REQUEST)
            .setMaxHeaderListSize(MAX_HEADERS)
            .backpressureThreshold((int) Math.min(MAX_UNTAKEN, settings.limits().batchBytes()));
    settings.users().ifPresent(u -> builder.headerAuthenticator(new TokenAuthenticator(u)));
    if (settings.tls().isEmpty()) {
      return builder.build();
    }
    GatewaySettings.Tls tls = settings.tls().get();
    byte[] certificates = certificates(tls.certificates());
    String key = SecretFile.read("the key of TLS", tls.key(), MAX_PEM);
    try {
      if (!TlsPair.matches(certificates, key)) {
        throw new GeneralSecurityException("the key is not that of the certificate");
      }
      return builder
          .useTls(
              new ByteArrayInputStream(certificates),
              new ByteArrayInputStream(key.getBytes(StandardCharsets.US_ASCII)))
          .build();
    } catch (GeneralSecurityException | RuntimeException e) {
      throw new IOException(
          "'"
              + tls.certificates()
              + "' and '"
              + tls.key()
              + "' are no certificate and key of it in PEM: "
              + e.getMessage(),
          e);
    }
  }

  private static byte[] certificates(Path file) throws IOException {
    if (!Files.isReadable(file) || !Files.isRegularFile(file)) {
      throw new IOException("the certificate of TLS: cannot read '" + file + "'");
    }
    return Files.readAllBytes(file);
  }

  /** The port that it listens at. */
  public int port() {
    return server.getPort();
  }

  /** Listens no more, ends queries that run, and closes the connections to HBase. */
  @Override
  public void close() {
    server.shutdown();
    producer.close();
    try {
      if (!producer.awaitEnd(END_MILLIS)) {
        LOG.warn("Queries did not end within {} ms", END_MILLIS);
      }
      server.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    clients.close();
    allocator.close();
  }
}
