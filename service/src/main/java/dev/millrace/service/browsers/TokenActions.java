package dev.millrace.service.browsers;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.UserTokenView;
import dev.millrace.postgres.tenants.UserTokens;
import dev.millrace.service.access.Bounds;
import dev.millrace.service.access.Credential;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes tokens for users, and ends them. */
public final class TokenActions {

  /** What may be done from a page that anybody can read. */
  public static final Set<Scope> SAFE =
      Set.copyOf(
          EnumSet.of(
              Scope.EFFECTS_READ,
              Scope.JOBS_READ,
              Scope.JOBS_WRITE,
              Scope.FILES_READ,
              Scope.FILES_WRITE,
              Scope.WALLET_READ));

  private final UserTokens tokens;
  private final Audit audit;

  public TokenActions(UserTokens tokens, Audit audit) {
    this.tokens = tokens;
    this.audit = audit;
  }

  /**
   * What a token is to be. What is null is as the key that makes it has it.
   *
   * @param mostJobs how many jobs may be submitted with it; null for any number
   */
  public record Wish(
      String user,
      @Nullable String workspace,
      @Nullable Set<String> effects,
      @Nullable Set<Scope> scopes,
      @Nullable Integer mostJobs,
      Duration life) {}

  /** What becomes of the wish for a token. */
  public sealed interface Minting {

    /** A new token, and its text in clear, which nobody sees again. */
    record Minted(UserTokenView token, String secret) implements Minting {

      @Override
      public String toString() {
        return "Minted[" + token.id() + "]";
      }
    }

    /** A token ends with the key that made it, so only a key makes one. */
    record NoKey() implements Minting {}

    /** Nobody gives away more than they have. */
    record MoreThanOwn() implements Minting {}
  }

  public Minting mint(Principal by, Wish wish) {
    if (by.credential().kind() != Credential.Kind.KEY) {
      return new Minting.NoKey();
    }
    Bounds bounds = bounds(by, wish);
    Set<Scope> scopes = Objects.requireNonNull(bounds.scopes());
    if (scopes.isEmpty() || !SAFE.containsAll(scopes) || !by.bounds().include(bounds)) {
      return new Minting.MoreThanOwn();
    }
    UserToken token = UserToken.random();
    KeyView.Bounds stored = bounds.stored();
    UserTokenView made =
        tokens.add(
            new UserTokens.NewToken(
                by.tenant(),
                UuidCreator.getTimeOrderedEpoch(),
                by.credential().id(),
                token.prefix(),
                token.hash(),
                new UserTokenView.Bounds(
                    wish.user(),
                    stored.workspace(),
                    stored.effects(),
                    Objects.requireNonNull(stored.scopes())),
                wish.mostJobs(),
                wish.life()));
    return new Minting.Minted(made, token.text());
  }

  private static Bounds bounds(Principal by, Wish wish) {
    Bounds own = by.bounds();
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    SAFE.stream().filter(by::may).forEach(scopes::add);
    return new Bounds(
        wish.user(),
        wish.workspace() == null ? own.workspace() : wish.workspace(),
        wish.effects() == null ? own.effects() : wish.effects(),
        wish.scopes() == null ? scopes : wish.scopes());
  }

  /**
   * Those that work, the newest first.
   *
   * @param before the last id of the page before, or null
   */
  public List<UserTokenView> list(Principal by, @Nullable UUID before, int limit) {
    return tokens.list(by.visibility(), before, limit);
  }

  /** False if there is no such token, or it has ended. */
  public boolean end(Principal by, UUID id) {
    boolean ended = tokens.end(by.visibility(), id);
    if (ended) {
      audit.write(by.audit("token.end", id.toString(), null));
    }
    return ended;
  }
}
