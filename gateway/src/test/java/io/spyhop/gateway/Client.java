package io.spyhop.gateway;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.util.Text;

/** A client of Flight for tests, without Python. */
final class Client implements AutoCloseable {
  private final BufferAllocator allocator = new RootAllocator();
  private final FlightClient flight;
  private final CallOption[] options;

  private Client(Location location, InputStream roots, CallOption... options) {
    FlightClient.Builder builder = FlightClient.builder(allocator, location);
    this.flight = (roots == null ? builder : builder.trustedCertificates(roots)).build();
    this.options = options;
  }

  static Client of(Gateway gateway) {
    return new Client(Location.forGrpcInsecure("127.0.0.1", gateway.port()), null);
  }

  static Client of(Gateway gateway, String token) {
    return new Client(Location.forGrpcInsecure("127.0.0.1", gateway.port()), null, bearer(token));
  }

  static Client ofTls(Gateway gateway, String token, InputStream roots) {
    return new Client(Location.forGrpcTls("127.0.0.1", gateway.port()), roots, bearer(token));
  }

  private static CallOption bearer(String token) {
    CallHeaders headers = new FlightCallHeaders();
    headers.insert("authorization", "Bearer " + token);
    return new HeaderCallOption(headers);
  }

  FlightClient flight() {
    return flight;
  }

  CallOption[] options() {
    return options;
  }

  /** Text in JSON with single quotes for double ones. */
  static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  FlightStream stream(String query) {
    return flight.getStream(new Ticket(json(query)), options);
  }

  /** All rows, values as texts, and how many rows each batch had. */
  List<String> rows(String query, List<Integer> batches) throws Exception {
    List<String> rows = new ArrayList<>();
    try (FlightStream stream = stream(query)) {
      while (stream.next()) {
        VectorSchemaRoot root = stream.getRoot();
        batches.add(root.getRowCount());
        for (int i = 0; i < root.getRowCount(); i++) {
          rows.add(row(root, i));
        }
      }
    }
    return rows;
  }

  List<String> rows(String query) throws Exception {
    return rows(query, new ArrayList<>());
  }

  private static String row(VectorSchemaRoot root, int i) {
    List<String> values = new ArrayList<>();
    for (FieldVector vector : root.getFieldVectors()) {
      values.add(text(vector.getObject(i)));
    }
    return String.join(" ", values);
  }

  private static String text(Object value) {
    if (value instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
    return value instanceof Text text ? text.toString() : String.valueOf(value);
  }

  /** What an action tells. */
  String act(String type, String query) {
    Iterator<Result> told = flight.doAction(new Action(type, json(query)), options);
    return new String(told.next().getBody(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws Exception {
    flight.close();
    allocator.close();
  }
}
