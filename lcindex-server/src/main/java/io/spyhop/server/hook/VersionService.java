package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.region.ServerCalls;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;

/** Answers which protocol version a server speaks. Stateless. */
final class VersionService {
  private VersionService() {}

  /**
   * The service.
   *
   * @param isOn whether Spyhop works on this server
   */
  static Iterable<Service> services(BooleanSupplier isOn) {
    return List.of(
        ServerCalls.service(
            (question, payload) -> answer(question, isOn),
            CoprocessorRpcUtils::setControllerException));
  }

  private static byte[] answer(String question, BooleanSupplier isOn) throws DoNotRetryIOException {
    if (!question.equals(ServerCalls.VERSION_QUESTION)) {
      throw new DoNotRetryIOException("Spyhop: unknown question '" + question + "'");
    }
    if (!isOn.getAsBoolean()) {
      throw new DoNotRetryIOException("Spyhop could not be started here: see the server's log");
    }
    return ServerCalls.version();
  }
}
