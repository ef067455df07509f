package dev.millrace.service.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyConverter;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import java.net.URI;
import java.security.Key;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An issuer that is believed, and what it says of itself: where it has what, and its keys. Both are
 * remembered. They are read again in the background once they are old, and at once when a token
 * fits none of the keys, but then not again for a while: anybody can send such tokens. While the
 * issuer can't be asked, what is remembered counts for a day.
 */
final class KnownIssuer {

  static final Duration FRESH = Duration.ofMinutes(5);
  static final Duration LONGEST = Duration.ofDays(1);

  /** Between two looks that tokens of strangers can cause. */
  static final Duration PAUSE = Duration.ofSeconds(10);

  /** As long as it isn't asked again after trouble, if there is nothing to go by. */
  static final Duration REST = Duration.ofSeconds(3);

  /** Asymmetric ones that the JDK has. */
  static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private static final Logger LOG = LoggerFactory.getLogger(KnownIssuer.class);
  private static final int SMALLEST_RSA = 2048;

  /** More keys than this fit no header that names one; without a name they are only tried. */
  private static final int MOST_TRIED = 10;

  private final String name;
  private final @Nullable URI keys;
  private final ProviderCalls calls;
  private final InstantSource clock;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile @Nullable Seen seen;
  private volatile @Nullable ProviderTrouble trouble;
  private volatile Instant lastLook = Instant.MIN;
  private volatile Instant lastForced = Instant.MIN;

  /**
   * What the issuer said.
   *
   * @param look the how manieth it was
   */
  private record Seen(@Nullable ProviderDocument document, JWKSet keys, Instant at, long look) {

    boolean isNewerThan(@Nullable Seen other) {
      return other == null || look > other.look;
    }
  }

  /**
   * Asks nothing yet.
   *
   * @param name as it calls itself
   * @param keys where its keys are; null for where its discovery document says
   */
  KnownIssuer(String name, @Nullable URI keys, ProviderCalls calls, InstantSource clock) {
    this.name = name;
    this.keys = keys;
    this.calls = calls;
    this.clock = clock;
  }

  String name() {
    return name;
  }

  /** Where it has what. */
  ProviderDocument document() throws ProviderTrouble {
    ProviderDocument document = current().document();
    if (document == null) {
      throw new IllegalStateException("An issuer with an address for its keys is for tokens alone");
    }
    return document;
  }

  /** Whether one of its keys has signed this; the algorithm must be one of ours. */
  boolean hasSigned(SignedJWT token) throws ProviderTrouble {
    Seen now = current();
    if (fits(now, token)) {
      return true;
    }
    Seen renewed = renewed(now);
    return renewed.isNewerThan(now) && fits(renewed, token);
  }

  /** Its keys that may have signed something with this header. */
  List<Key> keysFor(JWSHeader header) throws ProviderTrouble {
    return keysFor(current(), header);
  }

  private static boolean fits(Seen now, SignedJWT token) {
    for (Key key : keysFor(now, token.getHeader())) {
      try {
        if (token.verify(
            new DefaultJWSVerifierFactory().createJWSVerifier(token.getHeader(), key))) {
          return true;
        }
      } catch (JOSEException _) {
        // A key that can't check this signature hasn't made it.
      }
    }
    return false;
  }

  private static List<Key> keysFor(Seen now, JWSHeader header) {
    JWKMatcher matcher = JWKMatcher.forJWSHeader(header);
    if (matcher == null || !ALGORITHMS.contains(header.getAlgorithm())) {
      return List.of();
    }
    List<JWK> fitting = new JWKSelector(matcher).select(now.keys());
    return KeyConverter.toJavaKeys(fitting.stream().limit(MOST_TRIED).toList());
  }

  private Seen current() throws ProviderTrouble {
    Seen now = seen;
    Instant time = clock.instant();
    if (now == null || now.at().plus(LONGEST).isBefore(time)) {
      return ask(now, REST);
    }
    if (now.at().plus(FRESH).isBefore(time) && lastLook.plus(PAUSE).isBefore(time)) {
      lastLook = time;
      Thread.startVirtualThread(this::look);
    }
    return now;
  }

  private void look() {
    try {
      ask(seen, Duration.ZERO);
    } catch (ProviderTrouble _) {
      // It was logged, and what is remembered counts on.
    }
  }

  /** Newer than what was seen, if that can be had now. */
  private Seen renewed(Seen before) {
    Instant time = clock.instant();
    synchronized (this) {
      if (!lastForced.plus(PAUSE).isBefore(time)) {
        Seen now = seen;
        return now == null ? before : now;
      }
      lastForced = time;
    }
    try {
      return ask(before, Duration.ZERO);
    } catch (ProviderTrouble _) {
      return before;
    }
  }

  /** Asks for what is newer than this; of those who want it together, one asks. */
  private Seen ask(@Nullable Seen before, Duration rest) throws ProviderTrouble {
    try {
      if (!turn.tryLock(2 * ProviderCalls.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new ProviderTrouble("it didn't answer in time");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new ProviderTrouble("interrupted");
    }
    try {
      Seen now = seen;
      if (now != null && now.isNewerThan(before)) {
        return now;
      }
      ProviderTrouble last = trouble;
      if (last != null && lastLook.plus(rest).isAfter(clock.instant())) {
        throw last;
      }
      return fetched();
    } finally {
      turn.unlock();
    }
  }

  private Seen fetched() throws ProviderTrouble {
    try {
      ProviderDocument document =
          keys == null
              ? ProviderDocument.read(name, calls.get(ProviderDocument.address(name), Map.of()))
              : null;
      URI address = document == null ? keys : document.keys();
      JWKSet set = usable(calls.get(Objects.requireNonNull(address), Map.of()).toString());
      Seen before = seen;
      Seen now = new Seen(document, set, clock.instant(), before == null ? 1 : before.look() + 1);
      seen = now;
      trouble = null;
      return now;
    } catch (ProviderTrouble e) {
      if (trouble == null) {
        LOG.warn("The identity provider {} can't be asked for its keys: {}", name, e.getMessage());
      }
      trouble = e;
      throw e;
    } finally {
      lastLook = clock.instant();
    }
  }

  /** Public keys that are long enough. */
  private static JWKSet usable(String text) throws ProviderTrouble {
    try {
      List<JWK> keys =
          JWKSet.parse(text).toPublicJWKSet().getKeys().stream()
              .filter(key -> key instanceof ECKey || key instanceof RSAKey)
              .filter(key -> key instanceof ECKey || key.size() >= SMALLEST_RSA)
              .toList();
      return new JWKSet(keys);
    } catch (ParseException | RuntimeException _) {
      throw new ProviderTrouble("its keys can't be read");
    }
  }
}
