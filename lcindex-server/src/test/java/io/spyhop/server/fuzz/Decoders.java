package io.spyhop.server.fuzz;

import java.util.ArrayList;
import java.util.List;

/** Every decoder of Spyhop. */
final class Decoders {
  private Decoders() {}

  static List<Decoder> all() {
    List<Decoder> all = new ArrayList<>();
    all.addAll(CoreDecoders.all());
    all.addAll(GlobalDecoders.all());
    all.addAll(ServerDecoders.all());
    all.addAll(StoredDecoders.all());
    all.addAll(TextDecoders.all());
    return all;
  }
}
