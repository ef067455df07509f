package dev.millrace.service.browsers;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.postgres.tenants.StreamTickets;
import dev.millrace.postgres.tenants.Tenants;
import dev.millrace.service.access.Bounds;
import dev.millrace.service.access.Credential;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.access.Scope;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Tickets open one stream once, where no header can be sent. Of a ticket only the hash is stored,
 * where every node finds it.
 */
public final class Tickets {

  public static final Duration LIFE = Duration.ofSeconds(60);

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int TICKET_BYTES = 32;
  private static final int MOST_CHARS = 100;

  private final StreamTickets stored;
  private final Tenants tenants;

  public Tickets(StreamTickets stored, Tenants tenants) {
    this.stored = stored;
    this.tenants = tenants;
  }

  /** A new ticket in clear, which opens this path in the name of whoever asks for it. */
  public String issue(Principal by, String path) {
    byte[] bytes = new byte[TICKET_BYTES];
    RANDOM.nextBytes(bytes);
    String ticket = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    Credential credential = by.credential();
    stored.add(
        Sha256.hex(ticket),
        new StreamTickets.Holder(
            by.tenant(),
            credential.kind().name().toLowerCase(Locale.ROOT),
            credential.id(),
            credential.label(),
            by.bounds().user(),
            by.bounds().workspace()),
        path,
        LIFE);
    return ticket;
  }

  /** Who comes with this ticket, which is used up then; of several who bring it, one is let in. */
  public Optional<Principal> use(String ticket, String path) {
    if (ticket.length() > MOST_CHARS) {
      return Optional.empty();
    }
    return stored.use(Sha256.hex(ticket), path).map(this::principal);
  }

  private Principal principal(StreamTickets.Holder holder) {
    return new Principal(
        tenants.get(holder.tenantId()),
        new Credential(
            Credential.Kind.valueOf(holder.credential().toUpperCase(Locale.ROOT)),
            holder.credentialId(),
            holder.label()),
        Role.USER,
        new Bounds(holder.userId(), holder.workspace(), null, Set.of(Scope.JOBS_READ)));
  }
}
