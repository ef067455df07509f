package dev.millrace.service.fleet;

import dev.millrace.service.access.Secret;
import dev.millrace.web.http.ProblemException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What workers register with. Two are good at once, so that an operator can hand out a new one
 * while the old one is still in use.
 */
final class FleetSecret {

  private final byte[][] hashes;

  FleetSecret(@Nullable Secret... secrets) {
    hashes =
        Arrays.stream(secrets)
            .filter(Objects::nonNull)
            .map(secret -> WorkerToken.sha256(secret.reveal()))
            .toArray(byte[][]::new);
  }

  /** Refuses a fleet that nobody can join. */
  void requireOpen() {
    if (hashes.length == 0) {
      throw new ProblemException(
          403,
          "fleet_closed",
          "This installation takes no workers. An operator can set MILLRACE_FLEET_SECRET.");
    }
  }

  /** Compares in a time that tells nothing about how much of it was right. */
  boolean matches(String text) {
    byte[] hash = WorkerToken.sha256(text);
    boolean good = false;
    for (byte[] each : hashes) {
      good |= MessageDigest.isEqual(each, hash);
    }
    return good;
  }
}
