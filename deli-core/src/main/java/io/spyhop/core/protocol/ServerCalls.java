package io.spyhop.core.protocol;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcChannel;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import com.google.protobuf.ServiceException;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.BytesBytesPair;

/**
 * Calls to a server as a whole, master or region server: a coprocessor service whose methods take
 * and give a pair of byte arrays, which are messages that HBase already has, so that no code needs
 * to be generated. Stateless.
 */
public final class ServerCalls {
  /** What a server's refusal of a question begins with that it does not know. */
  public static final String UNKNOWN_QUESTION = "Spyhop: unknown question";

  private static final String SERVICE_NAME = "SpyhopServer";
  private static final String WRITE_METHOD = "Write";

  /**
   * A field of requests that the pair of byte arrays does not have: what asks says in it which
   * {@link Protocol} it speaks. Code that does not know the field passes over it.
   */
  private static final int PROTOCOL_FIELD = 15;

  private static final UnknownFieldSet OURS =
      UnknownFieldSet.newBuilder()
          .addField(
              PROTOCOL_FIELD,
              UnknownFieldSet.Field.newBuilder().addVarint(Protocol.CURRENT).build())
          .build();

  private static final ServiceDescriptor SERVICE = describe();
  private static final MethodDescriptor ASK = SERVICE.getMethods().get(0);
  private static final MethodDescriptor WRITE = SERVICE.getMethods().get(1);

  private ServerCalls() {}

  private static ServiceDescriptor describe() {
    String pair = "." + BytesBytesPair.getDescriptor().getFullName();
    FileDescriptor messages = HBaseProtos.getDescriptor();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("spyhop.proto")
            .setPackage("spyhop")
            .addDependency(messages.getName())
            .addService(
                ServiceDescriptorProto.newBuilder()
                    .setName(SERVICE_NAME)
                    .addMethod(method("Ask", pair))
                    .addMethod(method(WRITE_METHOD, pair)))
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[] {messages})
          .findServiceByName(SERVICE_NAME);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException("the service cannot be described", e);
    }
  }

  private static MethodDescriptorProto method(String name, String pair) {
    return MethodDescriptorProto.newBuilder()
        .setName(name)
        .setInputType(pair)
        .setOutputType(pair)
        .build();
  }

  /**
   * Whether a call of a coprocessor service is a {@link #write}, for which servers have handlers of
   * their own.
   */
  public static boolean isWrite(String service, String method) {
    return method.equals(WRITE_METHOD) && service.equals(SERVICE.getFullName());
  }

  /**
   * Has the server of an index table's region write or delete entries, as the system user. It takes
   * those of all regions of the table that it has.
   *
   * @param row whose region is asked
   * @param question what is to be done
   * @param payload the entries' wire form
   * @return completed with the answer, within the table's timeouts
   */
  public static CompletableFuture<byte[]> write(
      AsyncTable<?> table, byte[] row, Question question, byte[] payload) {
    BytesBytesPair request = pair(question, payload);
    return table
        .<RpcChannel, Message>coprocessorService(
            channel -> channel,
            (channel, controller, done) ->
                channel.callMethod(
                    WRITE, controller, request, BytesBytesPair.getDefaultInstance(), done),
            row)
        .thenApply(answer -> ((BytesBytesPair) answer).getSecond().toByteArray());
  }

  private static BytesBytesPair pair(Question question, byte[] payload) {
    return BytesBytesPair.newBuilder()
        .setFirst(ByteString.copyFromUtf8(question.text()))
        .setSecond(ByteString.copyFrom(payload))
        .setUnknownFields(OURS)
        .build();
  }

  /** The protocol that an asker says it speaks. */
  private static int protocol(BytesBytesPair request) {
    List<Long> said = request.getUnknownFields().getField(PROTOCOL_FIELD).getVarintList();
    return said.isEmpty() ? Protocol.UNSAID : Protocol.clamped(said.get(0));
  }

  /** Answers questions on a server. */
  @FunctionalInterface
  public interface Answerer {
    /**
     * The answer to a question.
     *
     * @param protocol what both sides speak
     */
    byte[] answer(Question question, byte[] payload, int protocol) throws IOException;
  }

  /** Refuses a question that is not answered there. */
  public static DoNotRetryIOException unknown(String question) {
    return new DoNotRetryIOException(UNKNOWN_QUESTION + " '" + question + "'");
  }

  /**
   * Asks a server.
   *
   * @throws IOException if it cannot be reached or has no Spyhop
   */
  public static byte[] ask(CoprocessorRpcChannel server, Question question, byte[] payload)
      throws IOException {
    BytesBytesPair request = pair(question, payload);
    try {
      Message answer =
          server.callBlockingMethod(ASK, null, request, BytesBytesPair.getDefaultInstance());
      return ((BytesBytesPair) answer).getSecond().toByteArray();
    } catch (ServiceException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e);
    }
  }

  /**
   * The answer to {@link Question#VERSION}.
   *
   * @param protocol what both sides speak
   */
  public static byte[] version(int protocol) {
    return Integer.toString(protocol).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The service that a server registers.
   *
   * @param places whose questions it answers; others are refused
   * @param failures takes what goes wrong, for the caller's controller
   */
  public static Service service(
      Set<Question.Place> places, Answerer answerer, FailureSink failures) {
    return new AskService(places, answerer, failures);
  }

  /** Whether a service is one of {@link #service}. */
  public static boolean isOwn(Service service) {
    return service instanceof AskService;
  }

  /** Hands an exception to the caller of a service. */
  @FunctionalInterface
  public interface FailureSink {
    /** Tells the caller behind the controller what went wrong. */
    void failed(RpcController controller, IOException failure);
  }

  private record AskService(Set<Question.Place> places, Answerer answerer, FailureSink failures)
      implements Service {
    private Question question(String text) throws DoNotRetryIOException {
      return Question.of(text)
          .filter(q -> places.contains(q.place()))
          .orElseThrow(() -> unknown(text));
    }

    @Override
    public ServiceDescriptor getDescriptorForType() {
      return SERVICE;
    }

    @Override
    public void callMethod(
        MethodDescriptor method,
        RpcController controller,
        Message request,
        RpcCallback<Message> done) {
      BytesBytesPair pair = (BytesBytesPair) request;
      BytesBytesPair.Builder answer = BytesBytesPair.newBuilder().setFirst(pair.getFirst());
      answer.setSecond(ByteString.EMPTY);
      try {
        byte[] bytes =
            answerer.answer(
                question(pair.getFirst().toStringUtf8()),
                pair.getSecond().toByteArray(),
                Protocol.agreed(protocol(pair)));
        answer.setSecond(ByteString.copyFrom(bytes));
      } catch (IOException e) {
        failures.failed(controller, e);
      } catch (RuntimeException e) {
        failures.failed(controller, new IOException("Spyhop: " + e, e));
      }
      done.run(answer.build());
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
      return BytesBytesPair.getDefaultInstance();
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
      return BytesBytesPair.getDefaultInstance();
    }
  }
}
