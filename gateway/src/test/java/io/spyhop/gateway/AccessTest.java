package io.spyhop.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens, TLS, users and bounds of a gateway. */
class AccessTest {
  private static final String TOKEN = "a-token-of-alice";
  private static final String QUERY = "{'version':1,'table':'secrets','columns':['name']}";
  private static final TableName SECRETS = TableName.valueOf("secrets");

  @TempDir private static Path dir;
  private static TokenFile users;
  private static GatewaySettings.Tls tls;
  private static GatewaySettings.Tls other;

  @BeforeAll
  static void start() throws Exception {
    GatewayCluster.start();
    List<Put> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      rows.add(
          new Put(Bytes.toBytes("s" + i))
              .addColumn(GatewayCluster.D, Bytes.toBytes("name"), Bytes.toBytes("n" + i))
              .addColumn(GatewayCluster.D, Bytes.toBytes("blob"), new byte[1 << 20]));
    }
    GatewayCluster.table(
        "secrets", Map.of("name", ValueType.STRING, "blob", ValueType.BYTES), rows);
    Path file = dir.resolve("tokens");
    write(
        file,
        "spyhop-tokens 1\n# of tests\n\n"
            + Secrets.line("alice", TOKEN)
            + Secrets.line("bob", "a-token-of-bob")
            + Secrets.line("mallory", "a-token-of-mallory"));
    users = TokenFile.open("--token-file", file);
    tls = Secrets.certificate(dir, "one");
    other = Secrets.certificate(dir, "other");
  }

  private static GatewaySettings settings(
      Optional<GatewaySettings.Tls> tls, boolean impersonates, GatewaySettings.Limits limits) {
    return new GatewaySettings(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Optional.of(users),
        tls,
        impersonates,
        limits);
  }

  private static Gateway gateway(
      Optional<GatewaySettings.Tls> tls, boolean impersonates, GatewaySettings.Limits limits)
      throws IOException {
    return Gateway.start(settings(tls, impersonates, limits), GatewayCluster.conf());
  }

  private static void refused(FlightStatusCode code, String message, Client client) {
    assertThatThrownBy(() -> client.rows(QUERY))
        .hasMessageContaining(message)
        .extracting(e -> ((FlightRuntimeException) e).status().code())
        .isEqualTo(code);
  }

  @Test
  void withoutATokenNothingIsAnswered() throws Exception {
    try (Gateway gateway = gateway(Optional.empty(), false, GatewaySettings.Limits.DEFAULT);
        Client none = Client.of(gateway);
        Client wrong = Client.of(gateway, "a-token-of-nobody");
        Client right = Client.of(gateway, TOKEN)) {
      refused(FlightStatusCode.UNAUTHENTICATED, "asks for a token", none);
      refused(FlightStatusCode.UNAUTHENTICATED, "does not know that token", wrong);
      assertThatThrownBy(() -> none.flight().listActions().forEach(a -> {}))
          .hasMessageContaining("asks for a token");
      assertThat(right.rows(QUERY)).hasSize(60);
    }
  }

  @Test
  void tlsIsForClientsWhoTrustTheCertificate() throws Exception {
    try (Gateway gateway = gateway(Optional.of(tls), false, GatewaySettings.Limits.DEFAULT);
        InputStream roots = Files.newInputStream(tls.certificates());
        InputStream others = Files.newInputStream(other.certificates());
        Client trusting = Client.ofTls(gateway, TOKEN, roots);
        Client distrusting = Client.ofTls(gateway, TOKEN, others);
        Client plain = Client.of(gateway, TOKEN)) {
      assertThat(trusting.rows(QUERY)).hasSize(60);
      refused(FlightStatusCode.UNAVAILABLE, "", distrusting);
      refused(FlightStatusCode.UNAVAILABLE, "", plain);
    }
  }

  @Test
  void filesOfTlsAreChecked() throws Exception {
    var limits = GatewaySettings.Limits.DEFAULT;
    Path open = Files.copy(tls.key(), dir.resolve("open.key"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    var readable = new GatewaySettings.Tls(tls.certificates(), open);
    assertThatThrownBy(() -> gateway(Optional.of(readable), false, limits).close())
        .hasMessageContaining("everybody may read");
    var absent = new GatewaySettings.Tls(dir.resolve("absent.pem"), tls.key());
    assertThatThrownBy(() -> gateway(Optional.of(absent), false, limits).close())
        .hasMessageContaining("cannot read");
    var none = new GatewaySettings.Tls(other.key(), other.certificates());
    Files.setPosixFilePermissions(
        other.certificates(), PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> gateway(Optional.of(none), false, limits).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("are no certificate and key");
  }

  @Test
  void queriesRunAsTheUserOfTheToken() throws Exception {
    try (Gateway gateway = gateway(Optional.empty(), true, GatewaySettings.Limits.DEFAULT);
        Client alice = Client.of(gateway, TOKEN);
        Client bob = Client.of(gateway, "a-token-of-bob");
        Client mallory = Client.of(gateway, "a-token-of-mallory")) {
      refused(
          FlightStatusCode.UNAUTHORIZED, "table 'secrets' as user 'alice': Insufficient", alice);
      grant("alice");
      await().untilAsserted(() -> assertThat(alice.rows(QUERY)).hasSize(60));
      refused(FlightStatusCode.UNAUTHORIZED, "table 'secrets' as user 'bob': ", bob);
      refused(
          FlightStatusCode.UNAUTHORIZED,
          "as user 'mallory': HBase's servers close connections of",
          mallory);
    }
  }

  @SuppressWarnings("IllegalThrows") // of HBase's client
  private static void grant(String user) throws Exception {
    try {
      AccessControlClient.grant(
          GatewayCluster.connection(),
          SECRETS,
          user,
          GatewayCluster.D,
          Bytes.toBytes("name"),
          Permission.Action.READ);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void clientsOfUsersAreBounded() throws Exception {
    UserClients clients =
        new UserClients(user -> ConnectionFactory.createConnection(GatewayCluster.conf()), 1);
    UserClients.Lease first = clients.of("alice");
    UserClients.Lease again = clients.of("alice");
    assertThat(again.spyhop()).isSameAs(first.spyhop());
    first.close();
    assertThatThrownBy(() -> clients.of("bob"))
        .isInstanceOf(TooManyException.class)
        .hasMessageContaining("1 users have queries running");
    again.close();
    UserClients.Lease bob = clients.of("bob");
    assertThat(first.connection().isClosed()).isTrue();
    assertThat(clients.size()).isOne();
    clients.close();
    assertThat(bob.connection().isClosed()).as("a call uses it").isFalse();
    assertThatThrownBy(() -> clients.of("bob")).hasMessageContaining("the gateway ends");
    bob.close();
    assertThat(bob.connection().isClosed()).isTrue();
  }

  @Test
  void queriesAreBoundedAndEndWithTheirClients() throws Exception {
    var limits = new GatewaySettings.Limits(1, 64 << 20, Duration.ofMinutes(5), 1, 10, 1 << 20);
    try (Gateway gateway = gateway(Optional.empty(), false, limits);
        Client client = Client.of(gateway, TOKEN)) {
      FlightStream untaken = client.stream("{'version':1,'table':'secrets'}");
      assertThat(untaken.next()).isTrue();
      refused(FlightStatusCode.RESOURCE_EXHAUSTED, "1 queries are running", client);
      untaken.cancel("enough", null);
      untaken.close();
      await().untilAsserted(() -> assertThat(client.rows(QUERY)).hasSize(60));
    }
  }

  @Test
  void oneUserLeavesPlacesToOthers() throws Exception {
    Places places = new Places(3, 2);
    places.take("alice");
    places.take("alice");
    assertThatThrownBy(() -> places.take("alice"))
        .isInstanceOf(TooManyException.class)
        .hasMessageContaining("2 queries of user 'alice' are running, the most of one");
    places.take("bob");
    assertThatThrownBy(() -> places.take("bob"))
        .isInstanceOf(TooManyException.class)
        .hasMessageContaining("3 queries are running, the most that it runs at once");
    places.give("alice");
    places.take("alice");

    var limits = new GatewaySettings.Limits(2, 64 << 20, Duration.ofMinutes(5), 1, 10, 1 << 20);
    try (Gateway gateway = gateway(Optional.empty(), false, limits);
        Client alice = Client.of(gateway, TOKEN);
        FlightStream untaken = alice.stream("{'version':1,'table':'secrets'}")) {
      assertThat(untaken.next()).isTrue();
      refused(FlightStatusCode.RESOURCE_EXHAUSTED, "1 queries of user 'alice'", alice);
      untaken.cancel("enough", null);
    }
  }

  @Test
  void aGatewayThatEndsEndsItsQueries() throws Exception {
    var limits = new GatewaySettings.Limits(1, 64 << 20, Duration.ofMinutes(5), 1, 10, 1 << 20);
    Gateway gateway = gateway(Optional.empty(), false, limits);
    try (Client client = Client.of(gateway, TOKEN);
        FlightStream untaken = client.stream("{'version':1,'table':'secrets'}")) {
      assertThat(untaken.next()).isTrue();
      gateway.close(); // and says if memory is not given back
      assertThatThrownBy(
              () -> {
                while (untaken.next()) {
                  assertThat(untaken.getRoot().getRowCount()).isPositive();
                }
              })
          .isInstanceOf(FlightRuntimeException.class)
          .hasMessageContaining("the gateway ends");
    }
  }

  @Test
  void settingsThatWouldLetStrangersInAreRefused() throws Exception {
    InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);
    InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var limits = GatewaySettings.Limits.DEFAULT;
    for (boolean withTokens : new boolean[] {true, false}) {
      Optional<TokenFile> tokens = withTokens ? Optional.of(users) : Optional.empty();
      Optional<GatewaySettings.Tls> secure = withTokens ? Optional.empty() : Optional.of(tls);
      assertThatThrownBy(() -> new GatewaySettings(everywhere, tokens, secure, false, limits))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0.0.0.0 is not a loopback address");
    }
    assertThat(new GatewaySettings(everywhere, Optional.of(users), Optional.of(tls), true, limits))
        .isNotNull();
    assertThatThrownBy(
            () -> new GatewaySettings(here, Optional.empty(), Optional.empty(), true, limits))
        .hasMessageContaining("no user is known");
    Duration time = Duration.ofMinutes(1);
    assertThatThrownBy(() -> new GatewaySettings.Limits(0, 1, time, 1, 1, 1))
        .hasMessageContaining("less than 1");
    assertThatThrownBy(
            () -> new GatewaySettings.Limits(1, 1 << 20, Duration.ofDays(1_001), 1, 1, 1))
        .hasMessageContaining("a time limit of 86486400 seconds is more than 1,000 days");
    assertThatThrownBy(() -> new GatewaySettings.Limits(10, 1_000, time, 1, 1, 100))
        .hasMessageContaining("1000 bytes are too little for 10 queries");
  }

  @Test
  void aFileOfTokensIsReadAgainWhenItChanges() throws Exception {
    Path file = dir.resolve("changing");
    write(file, "spyhop-tokens 1\n" + Secrets.line("alice", "old"));
    TokenFile tokens = TokenFile.open("--token-file", file);
    assertThat(tokens.users().userOf("old")).contains("alice");
    write(file, "spyhop-tokens 1\n" + Secrets.line("alice", "fresh"));
    assertThat(tokens.users().userOf("old")).isEmpty();
    assertThat(tokens.users().userOf("fresh")).contains("alice");
    write(file, "spyhop-tok");
    assertThat(tokens.users().userOf("fresh")).contains("alice");
    write(file, "spyhop-tokens 1\n" + Secrets.line("alice", "third"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw----r--"));
    assertThat(tokens.users().userOf("third")).isEmpty();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(tokens.users().userOf("third")).as("tried again").contains("alice");
    write(file, "spyhop-tokens 1\n" + Secrets.line("alice", "fresh"));
    assertThat(tokens.users().userOf("fresh")).contains("alice");
    Files.delete(file);
    assertThat(tokens.users().userOf("fresh")).contains("alice");
    write(file, "spyhop-tokens 1\n" + Secrets.line("bob", "of bob"));
    assertThat(tokens.users().userOf("fresh")).isEmpty();
    assertThat(tokens.users().userOf("of bob")).contains("bob");
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aKeyThatIsNotTheCertificatesIsRefused() {
    GatewaySettings.Tls mixed = new GatewaySettings.Tls(tls.certificates(), other.key());
    assertThatThrownBy(
            () -> gateway(Optional.of(mixed), false, GatewaySettings.Limits.DEFAULT).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the key is not that of the certificate");
  }

  @Test
  void filesOfTokensAreChecked() throws Exception {
    refusedFile("is not spyhop-tokens 1", "alice:00\n");
    refusedFile("is not spyhop-tokens 1", "");
    refusedFile("names no user", "spyhop-tokens 1\n# none\n");
    refusedFile("line 2 of", "spyhop-tokens 1\nalice:secret\n");
    refusedFile(
        "line 3 of '" + dir.resolve("refused") + "' has the hash of another line",
        "spyhop-tokens 1\n" + Secrets.line("a", "t") + Secrets.line("b", "t"));
    Path latin = Files.write(dir.resolve("latin"), new byte[] {'a', (byte) 0xFF});
    Files.setPosixFilePermissions(latin, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> TokenFile.open("--token-file", latin))
        .hasMessageContaining("is not UTF-8");
    refusedFile("has more than", "x".repeat((1 << 20) + 1));
    Path file =
        Files.writeString(dir.resolve("open"), "spyhop-tokens 1\n" + Secrets.line("a", "b"));
    for (String mode : List.of("rw-r--r--", "rw-----w-")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      assertThatThrownBy(() -> TokenFile.open("--token-file", file))
          .hasMessageContaining("--token-file: everybody may read or write");
    }
    assertThatThrownBy(() -> TokenFile.open("--token-file", dir.resolve("absent")))
        .hasMessageContaining("--token-file: cannot read");
  }

  private static void refusedFile(String message, String text) throws IOException {
    Path file = dir.resolve("refused");
    write(file, text);
    assertThatThrownBy(() -> TokenFile.open("--token-file", file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
  }
}
