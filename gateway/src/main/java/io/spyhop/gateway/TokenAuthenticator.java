package io.spyhop.gateway;

import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.auth2.CallHeaderAuthenticator;

/** Admits calls that bring a token, as the user who has it. Thread-safe. */
final class TokenAuthenticator implements CallHeaderAuthenticator {
  private static final String HEADER = "authorization";
  private static final String BEARER = "Bearer ";

  private final TokenFile file;

  TokenAuthenticator(TokenFile file) {
    this.file = file;
  }

  @Override
  public AuthResult authenticate(CallHeaders headers) {
    String said = headers.get(HEADER);
    if (said == null || !said.startsWith(BEARER)) {
      throw CallStatus.UNAUTHENTICATED
          .withDescription("this gateway asks for a token: authorization: Bearer TOKEN")
          .toRuntimeException();
    }
    String user =
        file.users()
            .userOf(said.substring(BEARER.length()))
            .orElseThrow(
                () ->
                    CallStatus.UNAUTHENTICATED
                        .withDescription("this gateway does not know that token")
                        .toRuntimeException());
    return () -> user;
  }
}
