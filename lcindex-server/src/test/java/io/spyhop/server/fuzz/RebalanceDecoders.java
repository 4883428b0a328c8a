package io.spyhop.server.fuzz;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.Rebalance;
import io.spyhop.core.protocol.Handover;
import io.spyhop.core.protocol.HandoverState;
import io.spyhop.core.protocol.RebalancePlan;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Moved;
import io.spyhop.core.protocol.RebalanceState.Phase;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.index.local.remote.Shipment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;

/** Decoders of messages and notes about buckets that move. */
final class RebalanceDecoders {
  private static final Set<Class<? extends Throwable>> CORRUPT =
      Set.of(CorruptFrameException.class);

  private RebalanceDecoders() {}

  static List<Decoder> all() {
    List<Decoder> all = new ArrayList<>();
    String core = "io.spyhop.core.protocol.";
    all.add(decoder(core + "RebalanceRequest", RebalanceRequest::decode, v -> request(v).encode()));
    all.add(decoder(core + "RebalanceState", RebalanceState::decode, v -> state(v).encode()));
    all.add(decoder(core + "RebalancePlan", RebalancePlan::decode, v -> plan(v).encode()));
    all.add(
        decoder(
            core + "Handover",
            Handover::decode,
            v -> new Handover(table(), v.hex(32), server(v), v.number()).encode()));
    all.add(
        decoder(
            core + "HandoverState",
            HandoverState::decode,
            v ->
                new HandoverState(v.flag(), v.below(9), v.number(), v.below(9), v.name())
                    .encode()));
    all.add(
        decoder(
            "io.spyhop.server.index.local.remote.Shipment", Shipment::decode, v -> shipment(v)));
    return all;
  }

  private static Decoder decoder(String type, Decoder.Call reader, Function<Values, byte[]> valid) {
    return new Decoder(
        type + "#decode",
        reader,
        read -> {
          Hidden.encodeAgain(read);
          Objects.requireNonNull(read.toString());
        },
        CORRUPT,
        valid);
  }

  private static TableName table() {
    return TableName.valueOf("orders");
  }

  private static ServerName server(Values v) {
    return ServerName.valueOf("host" + v.below(9), 16_020, 1 + v.below(1_000));
  }

  private static RebalanceRequest request(Values v) {
    List<ServerName> servers = new ArrayList<>();
    for (int n = v.below(4); n > 0; n--) {
      servers.add(server(v));
    }
    return new RebalanceRequest(
        table(), new UUID(v.number(), v.number()), servers, Duration.ofMillis(v.below(300_001)));
  }

  private static RebalanceState state(Values v) {
    Phase phase = Phase.values()[v.below(Phase.values().length)];
    List<Moved> moves = moves(v, phase == Phase.COMMIT ? 1 : 0);
    List<String> regions = new ArrayList<>();
    for (int n = v.below(3); n > 0; n--) {
      regions.add(v.hex(32));
    }
    return new RebalanceState(
        request(v),
        v.name(),
        v.number(),
        phase,
        moves,
        moves(v, 0),
        v.name(),
        regions,
        v.flag()
            ? Optional.of(new RebalanceState.Will(request(v).staying(), v.number()))
            : Optional.empty());
  }

  private static RebalancePlan plan(Values v) {
    List<Rebalance.Move<ServerName>> buckets = moves(v, 0).stream().map(Moved::move).toList();
    return new RebalancePlan(
        buckets,
        moves(v, 0).stream().map(m -> new RebalancePlan.Replica(v.below(3), m.move())).toList());
  }

  private static List<Moved> moves(Values v, int least) {
    List<Moved> moves = new ArrayList<>();
    for (int n = least + v.below(3); n > 0; n--) {
      int depth = v.below(5);
      moves.add(
          new Moved(
              new Bucket(v.below(1 << depth), depth),
              server(v),
              server(v),
              v.below(9),
              v.number(),
              v.below(9),
              v.number()));
    }
    return moves;
  }

  private static byte[] shipment(Values v) {
    int items = v.below(3);
    return Values.frame(
        "SPSH",
        1,
        out -> {
          out.writeInt(items);
          for (int i = 0; i < items; i++) {
            out.writeUTF(v.hex(32));
            byte[] family = v.bytes(1, 5);
            out.writeInt(family.length);
            out.write(family);
            out.writeUTF(v.hex(32));
            byte[] file = ServerDecoders.sfile(v);
            out.writeInt(file.length);
            out.write(file);
          }
          out.writeInt(v.below(9));
        });
  }
}
