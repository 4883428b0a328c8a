package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.Question.Place;
import io.spyhop.core.protocol.ServerCalls;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;

/** Makes the coprocessor services that answer {@link Question}s. Stateless. */
final class AnswerService {
  private AnswerService() {}

  /** A service for questions of some places; those for servers alone are refused to others. */
  static Iterable<Service> of(Set<Place> places, ServerCalls.Answerer answerer) {
    return List.of(
        ServerCalls.service(
            places,
            (question, payload, protocol) -> {
              if (question.isForServers()) {
                requireServer(question);
              }
              return answerer.answer(question, payload, protocol);
            },
            CoprocessorRpcUtils::setControllerException));
  }

  private static boolean isServer() {
    return RpcServer.getRequestUser().filter(Superusers::isSuperUser).isPresent();
  }

  private static void requireServer(Question question) throws IOException {
    if (!isServer()) {
      String user = RpcServer.getRequestUser().map(User::getShortName).orElse("(none)");
      throw new AccessDeniedException(
          "Spyhop: question '" + question.text() + "' is for region servers, not for user " + user);
    }
  }
}
