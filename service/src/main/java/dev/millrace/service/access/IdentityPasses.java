package dev.millrace.service.access;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.postgres.tenants.IdentitySessions;
import dev.millrace.postgres.tenants.Tenants;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of people whom an identity provider vouched for. Each has an end that nothing puts off,
 * and a role that isn't asked for again: whoever is given another one has it with his next session.
 */
public final class IdentityPasses {

  private final IdentitySessions stored;
  private final Tenants tenants;
  private final @Nullable String terms;

  /**
   * Under the terms of now.
   *
   * @param terms under which sessions are made; those of other terms have ended. Null for none
   */
  public IdentityPasses(IdentitySessions stored, Tenants tenants, @Nullable String terms) {
    this.stored = stored;
    this.tenants = tenants;
    this.terms = terms == null ? null : Sha256.hex(terms);
  }

  /** A new session's secret. */
  public String issue(Principal principal, Duration life) {
    if (terms == null) {
      throw new IllegalStateException("Nobody signs in by an identity provider here");
    }
    Credential credential = principal.credential();
    String secret = Passes.secret();
    stored.add(
        Sha256.hex(secret),
        terms,
        new IdentitySessions.Holder(
            principal.tenant(),
            credential.id(),
            credential.label(),
            principal.role().label(),
            principal.user()),
        life);
    return secret;
  }

  /** Whose session this is, if it is one. */
  Optional<Principal> find(String secret) {
    return terms == null
        ? Optional.empty()
        : stored.find(Sha256.hex(secret), terms).map(this::principal);
  }

  void end(String secret) {
    stored.end(Sha256.hex(secret));
  }

  private Principal principal(IdentitySessions.Holder holder) {
    return new Principal(
        tenants.get(holder.tenantId()),
        new Credential(Credential.Kind.IDENTITY, holder.identityId(), holder.label()),
        Role.ofLabel(holder.role()).orElseThrow(),
        new Bounds(holder.userId(), null, null, null));
  }
}
