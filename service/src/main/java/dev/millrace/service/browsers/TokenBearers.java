package dev.millrace.service.browsers;

import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Tenants;
import dev.millrace.postgres.tenants.UserTokenView;
import dev.millrace.postgres.tenants.UserTokens;
import dev.millrace.service.access.BearerKind;
import dev.millrace.service.access.Bounds;
import dev.millrace.service.access.Credential;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.access.SharedLookups;
import java.time.Duration;
import java.util.Optional;

/** Users' tokens, which work for as long as they and the keys that made them do. */
public final class TokenBearers implements BearerKind {

  /** As long as an ended token may still work. */
  private static final Duration MEMORY = Duration.ofSeconds(5);

  private static final int MOST_REMEMBERED = 10_000;
  private static final String REASON =
      "This token is unknown or has ended. Ask your backend for a new one.";

  private final UserTokens tokens;
  private final Tenants tenants;
  private final SharedLookups<Optional<Principal>> known;

  public TokenBearers(UserTokens tokens, Tenants tenants) {
    this.tokens = tokens;
    this.tenants = tenants;
    this.known = new SharedLookups<>(MEMORY, MOST_REMEMBERED, this::look);
  }

  @Override
  public boolean fits(String text) {
    return text.startsWith(UserToken.MARK);
  }

  @Override
  public Finding find(String text) {
    return UserToken.parse(text)
        .map(UserToken::hash)
        .flatMap(known::get)
        .<Finding>map(Finding.Known::new)
        .orElseGet(() -> new Finding.Refused(REASON));
  }

  private Optional<Principal> look(String hash) {
    return tokens.find(hash).map(this::principal);
  }

  private Principal principal(UserTokenView token) {
    UserTokenView.Bounds bounds = token.bounds();
    return new Principal(
        tenants.get(token.tenantId()),
        new Credential(Credential.Kind.TOKEN, token.id(), token.prefix()),
        Role.USER,
        Bounds.stored(
            new KeyView.Bounds(
                bounds.userId(), bounds.workspace(), bounds.effects(), bounds.scopes())));
  }
}
