package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.region.ServerCalls;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;

/** Answers which protocol version a server speaks. Stateless. */
final class VersionService {
  private VersionService() {}

  static Iterable<Service> services() {
    return List.of(
        ServerCalls.service(VersionService::answer, CoprocessorRpcUtils::setControllerException));
  }

  private static byte[] answer(String question, byte[] payload) throws DoNotRetryIOException {
    if (question.equals(ServerCalls.VERSION_QUESTION)) {
      return ServerCalls.version();
    }
    throw new DoNotRetryIOException("Spyhop: unknown question '" + question + "'");
  }
}
