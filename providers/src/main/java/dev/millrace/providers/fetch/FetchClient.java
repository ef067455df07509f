package dev.millrace.providers.fetch;

import dev.millrace.providers.fetch.FetchResult.Reason;
import dev.millrace.providers.fetch.FetchResult.Trouble;
import java.net.InetAddress;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;

/** Fetches what a policy allows. Safe for many threads; holds no connection between fetches. */
public final class FetchClient {

  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private final FetchPolicy policy;
  private final Lookup lookup;
  private final Wire wire;

  public FetchClient(FetchPolicy policy) {
    this(policy, NameResolver.system());
  }

  public FetchClient(FetchPolicy policy, NameResolver resolver) {
    this(policy, resolver, usualTrust());
  }

  FetchClient(FetchPolicy policy, NameResolver resolver, SSLContext trust) {
    this.policy = policy;
    this.lookup = new Lookup(resolver);
    this.wire = new Wire(trust);
  }

  /** Fetches with the whole body, and never throws for what the other side does. */
  public FetchResult fetch(FetchRequest request) {
    try (FetchStream stream = open(request)) {
      return new FetchResult.Fetched(
          stream.status(), stream.headers(), stream.readAll(), stream.url());
    } catch (FetchTrouble e) {
      return e.trouble();
    }
  }

  /** Fetches up to the headers; the caller reads the body and closes it. */
  public FetchStream open(FetchRequest request) throws FetchTrouble {
    FetchDeadline deadline = FetchDeadline.tied(request.limits().total(), request.stop());
    try {
      return follow(request, deadline);
    } catch (FetchTrouble | RuntimeException e) {
      deadline.close();
      throw e;
    }
  }

  /**
   * What speaks against a URL, before anything is fetched. A name that has no address now may have
   * one later, so that is no objection.
   *
   * @param most how long to wait for the address
   */
  public Optional<Reason> objection(String url, Duration most) {
    try (FetchDeadline deadline = FetchDeadline.tied(most, () -> false)) {
      WebAddress address = WebAddress.parse(url);
      refuse(policy.objection(address));
      return policy.objection(address, lookup.addresses(address.host(), most, deadline));
    } catch (FetchTrouble e) {
      return e.trouble() instanceof FetchResult.Refused(Reason reason)
          ? Optional.of(reason)
          : Optional.empty();
    }
  }

  private FetchStream follow(FetchRequest request, FetchDeadline deadline) throws FetchTrouble {
    WebAddress address = WebAddress.parse(request.url());
    String origin = address.origin();
    boolean withCredentials = true;
    Set<WebAddress> seen = new HashSet<>();
    for (int hop = 0; hop <= request.limits().redirects(); hop++) {
      if (!seen.add(address)) {
        throw FetchTrouble.refused(Reason.REDIRECT_LOOP);
      }
      withCredentials &= address.origin().equals(origin);
      FetchStream stream = hop(new Wire.Message(request, address, withCredentials), deadline);
      Optional<String> location = redirect(request, stream);
      if (location.isEmpty()) {
        return stream;
      }
      address = address.resolve(location.get());
    }
    throw FetchTrouble.refused(Reason.REDIRECTS);
  }

  /** Every hop is judged as if it were the first. */
  private FetchStream hop(Wire.Message message, FetchDeadline deadline) throws FetchTrouble {
    WebAddress address = message.address();
    FetchRequest request = message.request();
    refuse(policy.objection(address));
    List<InetAddress> addresses =
        lookup.addresses(address.host(), request.limits().connect(), deadline);
    refuse(policy.objection(address, addresses));
    deadline.unhurried();
    Optional<Trouble> objection = request.guard().objection(address.uri());
    if (objection.isPresent()) {
      throw new FetchTrouble(objection.get());
    }
    return wire.send(message, addresses, deadline);
  }

  private static void refuse(Optional<Reason> reason) throws FetchTrouble {
    if (reason.isPresent()) {
      throw FetchTrouble.refused(reason.get());
    }
  }

  /** Where an answer sends us, if it does and the request may be sent on. */
  private static Optional<String> redirect(FetchRequest request, FetchStream stream) {
    return request.body() != null
            || request.limits().redirects() == 0
            || !REDIRECTS.contains(stream.status())
        ? Optional.empty()
        : stream.headers().first("Location");
  }

  private static SSLContext usualTrust() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
