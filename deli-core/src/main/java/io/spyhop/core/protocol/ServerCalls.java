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
import java.util.concurrent.CompletableFuture;
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
  /** Asks which {@link Protocol} a server and the asker speak; the answer is decimal text. */
  public static final String VERSION_QUESTION = "version";

  /** Asks a server how it is; the answer is {@link ServerHealth}. */
  public static final String HEALTH_QUESTION = "health";

  /**
   * Asks a region server for the index jobs that ended last; the answer is a {@link JobRecord}
   * list.
   */
  public static final String JOBS_QUESTION = "jobs";

  /**
   * Asks a region server for the slow queries that ended last and that the caller may be told of;
   * the answer is a {@link SlowQuery} list.
   */
  public static final String SLOW_QUERIES_QUESTION = "slow-queries";

  /** Asks a region server, as the system user, which index files it has. */
  public static final String FILES_QUESTION = "files";

  /** Asks a region server, as the system user, for a piece of an index file. */
  public static final String CHUNK_QUESTION = "chunk";

  /** Asks a region of an index table for entries, with a {@code PageRequest}. */
  public static final String ENTRIES_QUESTION = "entries";

  /**
   * The same from the last row on, of the region that has the row before {@code to}; where the next
   * page goes on is its {@code to}.
   */
  public static final String ENTRIES_BACKWARDS_QUESTION = "entries-backwards";

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

  /**
   * Asks a region of a base table for an {@code EntryTicket}; the payload is the index's
   * incarnation as decimal text.
   */
  public static final String TICKET_QUESTION = "ticket";

  /** Gives a region of an index table entries of a client's, where nobody checks access. */
  public static final String ENTER_QUESTION = "enter";

  /** Asks the master to create a global index, with a {@code GlobalIndexRequest}. */
  public static final String CREATE_QUESTION = "create-index";

  /** Asks the master to drop a global index, with a {@code GlobalIndexRequest}. */
  public static final String DROP_QUESTION = "drop-index";

  /**
   * Asks the master to make a global index anew, with a {@code GlobalIndexRequest} that has the new
   * incarnation.
   */
  public static final String REBUILD_QUESTION = "rebuild-index";

  /**
   * Asks the master for the index tables that no definition names; answers {@code OrphanTables}.
   */
  public static final String ORPHANS_QUESTION = "orphans";

  /** Asks the master to drop one of them; the payload is its name in UTF-8. */
  public static final String DROP_ORPHAN_QUESTION = "drop-orphan";

  /**
   * Has the master rebalance a bucketed table, with a {@code RebalanceRequest}; who asks again with
   * the same one is told how far it is, as by the next question.
   */
  public static final String REBALANCE_QUESTION = "rebalance";

  /**
   * Asks the master how far a rebalance is, with its {@code RebalanceRequest}; the answer is a
   * {@code RebalanceState}, or empty if it is not the last of its table.
   */
  public static final String REBALANCE_STATE_QUESTION = "rebalance-state";

  /**
   * Asks the master how far the last rebalance of a table is; the payload is the table's name in
   * UTF-8, the answer a {@code RebalanceState}, or empty if there was none.
   */
  public static final String REBALANCE_LAST_QUESTION = "rebalance-last";

  /**
   * Asks the master what a {@code RebalanceRequest} would move; the answer is a {@code
   * RebalancePlan}.
   */
  public static final String REBALANCE_PLAN_QUESTION = "rebalance-plan";

  /**
   * Has the master stop a rebalance, named by its {@code RebalanceRequest}, before the next bucket
   * moves; the answer is as to {@link #REBALANCE_STATE_QUESTION}.
   */
  public static final String REBALANCE_STOP_QUESTION = "rebalance-stop";

  /**
   * Has a region server, as the system user, fetch the index files of a region that is going to be
   * moved to it, with a {@code Handover}; the answer is a {@code HandoverState}.
   */
  public static final String RECEIVE_QUESTION = "receive";

  /**
   * Asks a region server, as the system user, which index files a region has that is open there.
   */
  public static final String SHIPMENT_QUESTION = "shipment";

  /**
   * Has a region server, as the system user, flush a region and hold up its writes, with a {@code
   * Handover}.
   */
  public static final String HOLD_QUESTION = "hold";

  /** Gives a region of an index table entries to write, as the system user. */
  public static final String WRITE_QUESTION = "write";

  /** Asks the server of an index table's region for its {@code ServerTime}. */
  public static final String CLOCK_QUESTION = "clock";

  /** Has the server of an index table's region delete entries, with an {@code EntryRemoval}. */
  public static final String REMOVE_QUESTION = "remove";

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
      AsyncTable<?> table, byte[] row, String question, byte[] payload) {
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

  private static BytesBytesPair pair(String question, byte[] payload) {
    return BytesBytesPair.newBuilder()
        .setFirst(ByteString.copyFromUtf8(question))
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
    byte[] answer(String question, byte[] payload, int protocol) throws IOException;
  }

  /**
   * Asks a server.
   *
   * @throws IOException if it cannot be reached or has no Spyhop
   */
  public static byte[] ask(CoprocessorRpcChannel server, String question, byte[] payload)
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
   * The answer to {@link #VERSION_QUESTION}.
   *
   * @param protocol what both sides speak
   */
  public static byte[] version(int protocol) {
    return Integer.toString(protocol).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The service that a server registers.
   *
   * @param failures takes what goes wrong, for the caller's controller
   */
  public static Service service(Answerer answerer, FailureSink failures) {
    return new AskService(answerer, failures);
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
            answerer.answer(
                pair.getFirst().toStringUtf8(),
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
