package dev.millrace.providers.fetch;

import dev.millrace.providers.fetch.FetchResult.Reason;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where fetches may go.
 *
 * @param ports of the public internet, and of allowed hosts that name none
 * @param allowed what may be reached although it isn't public
 */
public record FetchPolicy(Set<Integer> ports, AllowList allowed) {

  /** The public web, on its usual ports. */
  public static final FetchPolicy PUBLIC_WEB = new FetchPolicy(Set.of(80, 443), AllowList.NOTHING);

  public FetchPolicy {
    ports = Set.copyOf(ports);
  }

  /**
   * The public web, and what an operator allows beside it.
   *
   * @param allowed as {@link AllowList#parse} reads it
   */
  public static FetchPolicy of(String allowed) {
    return PUBLIC_WEB.allowing(AllowList.parse(allowed));
  }

  public FetchPolicy allowing(AllowList more) {
    return new FetchPolicy(ports, allowed.and(more));
  }

  /**
   * Allows the host and port of a URL that the operator has set, wherever they are.
   *
   * @throws IllegalArgumentException if it isn't a web address
   */
  public FetchPolicy allowing(URI own) {
    try {
      return allowing(AllowList.only(WebAddress.parse(own.toString())));
    } catch (FetchTrouble e) {
      throw new IllegalArgumentException("not a web address that can be fetched", e);
    }
  }

  /** Only the host and port of a URL that the operator has set. */
  public static FetchPolicy only(URI own) {
    return new FetchPolicy(Set.of(), AllowList.NOTHING).allowing(own);
  }

  /** What can be said before a name is resolved. */
  Optional<Reason> objection(WebAddress address) {
    return ports.contains(address.port()) || allowed.knowsPort(address.port())
        ? Optional.empty()
        : Optional.of(Reason.PORT);
  }

  /** One address that may not be reached is enough: a name with both kinds is up to something. */
  Optional<Reason> objection(WebAddress address, List<InetAddress> resolved) {
    return resolved.stream().flatMap(each -> objection(address, each).stream()).findFirst();
  }

  private Optional<Reason> objection(WebAddress address, InetAddress resolved) {
    if (allowed.permits(address.host(), resolved, address.port(), this)) {
      return Optional.empty();
    }
    if (!ports.contains(address.port())) {
      return Optional.of(Reason.PORT);
    }
    boolean publicName = !(address.host() instanceof Host.Name name) || name.mayBePublic();
    return publicName && PublicAddresses.contain(resolved)
        ? Optional.empty()
        : Optional.of(Reason.ADDRESS);
  }
}
