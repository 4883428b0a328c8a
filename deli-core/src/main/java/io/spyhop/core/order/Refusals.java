package io.spyhop.core.order;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.ipc.RemoteException;

/** Finds a server's refusal behind what a client caught. Stateless. */
final class Refusals {
  private Refusals() {}

  /** The first line of its message, if there is one of that class. */
  static Optional<String> in(Throwable failure, Class<? extends IOException> refusal) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      boolean remote = t instanceof RemoteException r && refusal.getName().equals(r.getClassName());
      if (remote || refusal.isInstance(t)) {
        return Optional.of(String.valueOf(t.getMessage()).lines().findFirst().orElse(""));
      }
    }
    return Optional.empty();
  }
}
