package dev.millrace.service.identity;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.postgres.tenants.Tenants;
import dev.millrace.service.access.Bounds;
import dev.millrace.service.access.Credential;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.SharedLookups;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Turns claims that were checked into principals. */
final class People {

  /** As long as a suspended tenant may still be let in. */
  private static final Duration MEMORY = Duration.ofSeconds(5);

  private static final int MOST_REMEMBERED = 10_000;
  private static final Pattern SLUG = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
  private static final int HALF = 16;
  private static final int HEX = 16;

  private final ClaimRules rules;
  private final SharedLookups<Optional<TenantView>> tenants;

  People(ClaimRules rules, Tenants tenants) {
    this.rules = rules;
    this.tenants = new SharedLookups<>(MEMORY, MOST_REMEMBERED, tenants::find);
  }

  /** What came of looking for somebody. */
  sealed interface Meeting {

    record LetIn(Principal principal, String subject) implements Meeting {}

    /**
     * Somebody who may do nothing here.
     *
     * @param reason a sentence for him
     */
    record Stranger(String reason) implements Meeting {}
  }

  Meeting meet(String issuer, Map<String, ?> claims) {
    return switch (rules.read(claims)) {
      case ClaimRules.Reading.Nobody(String reason) -> new Meeting.Stranger(reason);
      case ClaimRules.Reading.Person person -> meet(issuer, person);
    };
  }

  private Meeting meet(String issuer, ClaimRules.Reading.Person person) {
    Optional<TenantView> home =
        SLUG.matcher(person.tenant()).matches() ? tenants.get(person.tenant()) : Optional.empty();
    return home.<Meeting>map(tenant ->
            new Meeting.LetIn(
                new Principal(
                    tenant,
                    new Credential(
                        Credential.Kind.IDENTITY, id(issuer, person.subject()), person.label()),
                    person.role(),
                    new Bounds(person.user(), null, null, null)),
                person.subject()))
        .orElseGet(() ->
            new Meeting.Stranger(
                "The tenant that you belong to doesn't exist here. Ask whoever runs this server."));
  }

  /** The same for the same person, whatever else his tokens say. */
  private static UUID id(String issuer, String subject) {
    String hex = Sha256.hex(issuer + "\n" + subject);
    return new UUID(
        Long.parseUnsignedLong(hex.substring(0, HALF), HEX),
        Long.parseUnsignedLong(hex.substring(HALF, 2 * HALF), HEX));
  }
}
