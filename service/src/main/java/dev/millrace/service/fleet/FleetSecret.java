package dev.millrace.service.fleet;

import dev.millrace.contract.digest.ConstantTime;
import dev.millrace.contract.digest.Sha256;
import dev.millrace.service.access.Secret;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What workers register with. Two are good at once, so that an operator can hand out a new one
 * while the old one is still in use.
 */
public final class FleetSecret {

  private final byte[][] hashes;

  FleetSecret(@Nullable Secret... secrets) {
    hashes =
        Arrays.stream(secrets)
            .filter(Objects::nonNull)
            .map(secret -> Sha256.of(secret.reveal()))
            .toArray(byte[][]::new);
  }

  /** What is said of a secret that somebody shows. */
  public enum Answer {
    /** The installation has no secret, so that nobody can join. */
    CLOSED,
    MISSING,
    WRONG,
    RIGHT
  }

  /** Whether this is one of them. */
  Answer of(Optional<String> shown) {
    if (hashes.length == 0) {
      return Answer.CLOSED;
    }
    return shown.map(text -> matches(text) ? Answer.RIGHT : Answer.WRONG).orElse(Answer.MISSING);
  }

  /** Compares in a time that tells nothing about how much of it was right. */
  private boolean matches(String text) {
    byte[] hash = Sha256.of(text);
    boolean good = false;
    for (byte[] each : hashes) {
      good |= ConstantTime.equal(each, hash);
    }
    return good;
  }
}
