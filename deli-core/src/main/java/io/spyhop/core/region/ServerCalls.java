package io.spyhop.core.region;

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
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import com.google.protobuf.ServiceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.BytesBytesPair;

/**
 * Calls to a server as a whole, master or region server: a coprocessor service with one method that
 * takes and gives a pair of byte arrays, which are messages that HBase already has, so that no code
 * needs to be generated. Stateless.
 */
public final class ServerCalls {
  /** Asks for the server's protocol version; the answer is decimal text. */
  public static final String VERSION_QUESTION = "version";

  /**
   * Asks a region server for the index jobs that ended last; the answer is a {@link JobRecord}
   * list.
   */
  public static final String JOBS_QUESTION = "jobs";

  /** Asks a region server, as the system user, which index files it has. */
  public static final String FILES_QUESTION = "files";

  /** Asks a region server, as the system user, for a piece of an index file. */
  public static final String CHUNK_QUESTION = "chunk";

  /** Asks a region of an index table for entries, with a {@code PageRequest}. */
  public static final String ENTRIES_QUESTION = "entries";

  /**
   * Asks the first region of an index table which row ranges of the base table are built; the
   * payload is the incarnation as decimal text, the answer {@code BuiltRanges}.
   */
  public static final String BUILT_QUESTION = "built";

  /**
   * Tells a region of a base table of entries that nothing seems to be behind, in an {@code
   * EntryList}; they are looked at again and deleted after a while.
   */
  public static final String REPAIR_QUESTION = "repair";

  /** The same from a server whose region had the rows before; the answer means it is durable. */
  public static final String FORWARD_QUESTION = "forward";

  /** Asks a region of a base table for entries that are missing, with a {@code VerifyRequest}. */
  public static final String MISSING_QUESTION = "missing";

  /** Asks a region of a base table which of the entries in a {@code VerifyRequest} dangle. */
  public static final String DANGLING_QUESTION = "dangling";

  /** Asks a region server how many repairs are not done; the answer is decimal text. */
  public static final String REPAIRS_QUESTION = "repairs";

  /** Asks the master to create a global index, with a {@code GlobalIndexRequest}. */
  public static final String CREATE_QUESTION = "create-index";

  /** Asks the master to drop a global index, with a {@code GlobalIndexRequest}. */
  public static final String DROP_QUESTION = "drop-index";

  /** What clients and servers of this code speak. */
  public static final int PROTOCOL = 3;

  private static final ServiceDescriptor SERVICE = describe();
  private static final MethodDescriptor ASK = SERVICE.getMethods().get(0);

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
                    .setName("SpyhopServer")
                    .addMethod(
                        MethodDescriptorProto.newBuilder()
                            .setName("Ask")
                            .setInputType(pair)
                            .setOutputType(pair)))
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[] {messages})
          .findServiceByName("SpyhopServer");
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException("the service cannot be described", e);
    }
  }

  /** Answers questions on a server. */
  @FunctionalInterface
  public interface Answerer {
    /** The answer to a question. */
    byte[] answer(String question, byte[] payload) throws IOException;
  }

  /**
   * Asks a server.
   *
   * @throws IOException if it cannot be reached or has no Spyhop
   */
  public static byte[] ask(CoprocessorRpcChannel server, String question, byte[] payload)
      throws IOException {
    BytesBytesPair request =
        BytesBytesPair.newBuilder()
            .setFirst(ByteString.copyFromUtf8(question))
            .setSecond(ByteString.copyFrom(payload))
            .build();
    try {
      Message answer =
          server.callBlockingMethod(ASK, null, request, BytesBytesPair.getDefaultInstance());
      return ((BytesBytesPair) answer).getSecond().toByteArray();
    } catch (ServiceException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e);
    }
  }

  /** The answer to {@link #VERSION_QUESTION}. */
  public static byte[] version() {
    return Integer.toString(PROTOCOL).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The service that a server registers.
   *
   * @param failures takes what goes wrong, for the caller's controller
   */
  public static Service service(Answerer answerer, FailureSink failures) {
    return new AskService(answerer, failures);
  }

  /** Hands an exception to the caller of a service. */
  @FunctionalInterface
  public interface FailureSink {
    /** Tells the caller behind the controller what went wrong. */
    void failed(RpcController controller, IOException failure);
  }

  private record AskService(Answerer answerer, FailureSink failures) implements Service {
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
            answerer.answer(pair.getFirst().toStringUtf8(), pair.getSecond().toByteArray());
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
