package io.spyhop.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.junit.jupiter.api.Test;

/** Neighbouring versions speak to each other; others are told of by number. */
final class ProtocolTest {
  private final List<Integer> agreed = new ArrayList<>();
  private final List<IOException> failures = new ArrayList<>();
  private final Service service =
      ServerCalls.service(
          EnumSet.of(Question.Place.SERVER),
          (question, payload, protocol) -> {
            agreed.add(protocol);
            return ServerCalls.version(protocol);
          },
          (controller, failure) -> failures.add(failure));

  private String ask(BytesBytesPair request) throws IOException {
    MethodDescriptor method = service.getDescriptorForType().getMethods().get(0);
    List<Message> answers = new ArrayList<>();
    // What travels is bytes: a field that a receiver does not know is there all the same.
    service.callMethod(method, null, BytesBytesPair.parseFrom(request.toByteArray()), answers::add);
    return ((BytesBytesPair) answers.get(0)).getSecond().toStringUtf8();
  }

  private static BytesBytesPair.Builder question() {
    return BytesBytesPair.newBuilder()
        .setFirst(ByteString.copyFromUtf8(Question.VERSION.text()))
        .setSecond(ByteString.EMPTY);
  }

  private static BytesBytesPair saying(long protocol) {
    UnknownFieldSet.Field said = UnknownFieldSet.Field.newBuilder().addVarint(protocol).build();
    return question()
        .setUnknownFields(UnknownFieldSet.newBuilder().addField(15, said).build())
        .build();
  }

  @Test
  void whoDoesNotSaySpeaksTheVersionBefore() throws IOException {
    assertThat(ask(question().build())).isEqualTo("4");
  }

  @Test
  void whatBothSpeakIsSpoken() throws IOException {
    assertThat(ask(saying(4))).isEqualTo("4");
    assertThat(ask(saying(5))).isEqualTo("5");
    assertThat(ask(saying(6))).isEqualTo("6");
    assertThat(ask(saying(7))).isEqualTo("6");
    assertThat(ask(saying(Long.MAX_VALUE))).isEqualTo("6");
    assertThat(agreed).containsExactly(4, 5, 6, 6, 6);
  }

  @Test
  void whatIsTooOldIsNamed() throws IOException {
    assertThat(ask(saying(3))).isEmpty();
    assertThat(ask(saying(-1))).isEmpty();
    assertThat(agreed).isEmpty();
    assertThat(failures.get(0))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("speaks protocol 3, this server speaks 4 to 6");
  }

  @Test
  void operationsSayItToo() throws IOException {
    Get get =
        RegionRequest.of(RegionRequest.Kind.STATUS)
            .toGet(RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build());
    assertThat(Protocol.agreed(get.getAttribute(Attributes.PROTOCOL))).isEqualTo(6);
    assertThat(Protocol.agreed(null)).isEqualTo(4);
    assertThatThrownBy(() -> Protocol.agreed("five".getBytes(StandardCharsets.US_ASCII)))
        .isInstanceOf(DoNotRetryIOException.class);
  }

  @Test
  void neighboursAreSpoken() {
    assertThat(Protocol.isSpoken("4")).isTrue();
    assertThat(Protocol.isSpoken("5")).isTrue();
    assertThat(Protocol.isSpoken("6")).isTrue();
    assertThat(Protocol.isSpoken("3")).isFalse();
    assertThat(Protocol.isSpoken("7")).isFalse();
    assertThat(Protocol.isSpoken("")).isFalse();
  }

  /** What no version knows, and what is asked elsewhere. */
  @Test
  void otherQuestionsAreRefused() throws IOException {
    for (String text : List.of("nonsense", "", Question.WRITE.text())) {
      failures.clear();
      ask(question().setFirst(ByteString.copyFromUtf8(text)).build());
      assertThat(failures).hasSize(1);
      assertThat(failures.get(0))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessage(ServerCalls.UNKNOWN_QUESTION + " '" + text + "'");
    }
    assertThat(agreed).isEmpty();
  }
}
