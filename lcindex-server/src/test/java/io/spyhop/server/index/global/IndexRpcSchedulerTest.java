package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.ServerCalls;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ipc.FifoRpcScheduler;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

/** Calls that get the handlers for index writes, and calls that do not. */
class IndexRpcSchedulerTest {
  private static final Configuration CONF = HBaseConfiguration.create();
  private static final IndexRpcScheduler SCHEDULER =
      new IndexRpcScheduler(
          new FifoRpcScheduler(CONF, 1), Set.of("hbase")::contains, 1, 1, CONF, null, null);

  @Test
  void serversWritesGetThem() {
    assertThat(isOurs("hbase", IndexWriter.PRIORITY, null)).isTrue();
    assertThat(isOurs("hbase", 0, service("spyhop.SpyhopServer", "Write"))).isTrue();
  }

  @Test
  void otherCallsOfServersDoNot() {
    assertThat(isOurs("hbase", 0, null)).isFalse();
    assertThat(isOurs("hbase", 200, null)).isFalse();
    assertThat(isOurs("hbase", 0, service("spyhop.SpyhopServer", "Ask"))).isFalse();
    assertThat(isOurs("hbase", 0, service("another.SpyhopServer", "Write"))).isFalse();
  }

  /** A priority and a method are what the sender says. */
  @Test
  void othersCallsDoNotWhateverTheySay() {
    for (String user : new String[] {"stranger", "hbase2", null}) {
      assertThat(isOurs(user, IndexWriter.PRIORITY, null)).isFalse();
      assertThat(isOurs(user, 0, service("spyhop.SpyhopServer", "Write"))).isFalse();
    }
  }

  private static CoprocessorServiceRequest service(String name, String method) {
    assertThat(ServerCalls.isWrite("spyhop.SpyhopServer", "Write")).isTrue();
    return CoprocessorServiceRequest.newBuilder()
        .setRegion(
            RegionSpecifier.newBuilder()
                .setType(RegionSpecifierType.REGION_NAME)
                .setValue(ByteString.EMPTY))
        .setCall(
            CoprocessorServiceCall.newBuilder()
                .setRow(ByteString.EMPTY)
                .setServiceName(name)
                .setMethodName(method)
                .setRequest(ByteString.EMPTY))
        .build();
  }

  private static boolean isOurs(String user, int priority, Message param) {
    Optional<User> caller =
        Optional.ofNullable(user).map(u -> User.createUserForTesting(CONF, u, new String[0]));
    Map<String, Optional<?>> known =
        Map.of(
            "getPriority", Optional.of(priority),
            "getParam", Optional.ofNullable(param),
            "getRequestUser", Optional.of(caller));
    RpcCall call =
        (RpcCall)
            Proxy.newProxyInstance(
                RpcCall.class.getClassLoader(),
                new Class<?>[] {RpcCall.class},
                (proxy, method, arguments) -> known.get(method.getName()).orElse(null));
    return SCHEDULER.isServersIndexWrite(call);
  }
}
