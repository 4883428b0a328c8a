package io.spyhop.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexSchema;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that asks many regions for definitions as they are now has them read once. */
class TableSchemasTest {
  private static final TableName TABLE = TableName.valueOf("many");

  private final AtomicInteger readings = new AtomicInteger();
  private final List<RegionSchema> regions = new ArrayList<>();

  @BeforeEach
  void open() {
    TableDescriptors descriptors =
        proxy(
            TableDescriptors.class,
            (p, method, args) -> {
              readings.incrementAndGet();
              return TableDescriptorBuilder.newBuilder(TABLE).build();
            });
    TableSchemas schemas = new TableSchemas(descriptors, new Complaints(System::nanoTime));
    for (int i = 0; i < 100; i++) {
      regions.add(schemas.open(TABLE, IndexSchema.of(List.of()), schema -> {}));
    }
  }

  @AfterEach
  void leave() {
    RpcServer.unsetCurrentCall();
  }

  private static <T> T proxy(Class<T> type, InvocationHandler answers) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
  }

  /** The call waited a while before it was served. */
  private void call(boolean mayChange) throws Exception {
    long received = EnvironmentEdgeManager.currentTime();
    RpcServer.setCurrentCall(
        proxy(
            RpcCall.class,
            (p, method, args) ->
                method.getName().equals("getReceiveTime") ? received : Optional.empty()));
    while (EnvironmentEdgeManager.currentTime() < received + 3) {
      Thread.onSpinWait(); // times are cut to milliseconds
    }
    for (RegionSchema r : regions) {
      r.refreshForCall(mayChange);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneReadingServesACallToManyRegions(boolean mayChange) throws Exception {
    call(mayChange);
    assertThat(readings).hasValue(1);
    call(mayChange);
    assertThat(readings).as("what was read before a call came is too old").hasValue(2);
  }
}
